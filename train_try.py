import sys, time, threading
import numpy as np
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple, Any
from headway.games import box
from headway.games.kernel import compiled
from headway.games.nextstation.layout import *
from headway.games.simulation import apart
from headway.games.xorshift import seeded
from headway.bots.nextstation import selfplay, network, features
from headway.bots.nextstation.network import *
from headway.bots.nextstation.selfplay import Room, MOST_TURNS

class Net(NamedTuple):
    first: Any; first_bias: Any; second: Any; second_bias: Any; third: Any; third_bias: Any
def arrays(n): return Net(*(n[k][0] for k in ("first","first_bias","second","second_bias","third","third_bias")))

def room():
    return Room(shared=apart(2,SHARED), sheets=apart(3,SHEET), moves=apart(MOST_MOVES,np.int64), zone=apart(1,SCORE),
      cards=apart(32,np.int64), bits=np.zeros((4,features.FEATURE_WORDS),np.uint64), sums=np.zeros((4,WIDTH),np.float32), hidden=apart(DEPTH,np.float32),
      past=np.zeros((MOST_TURNS+2,features.FEATURE_WORDS),np.uint64), worth=np.zeros(MOST_TURNS+2), had=np.zeros(MOST_TURNS+2),
      rounds=np.zeros(MOST_TURNS+2,np.int64), target=np.zeros(MOST_TURNS+2), back=apart(WIDTH,np.float32))

def main(map, minutes, out, opts, threads=2, batch=8, lr0=1e-3, init=None):
    game = box("next-station").open(map,1)
    k = compiled(selfplay)
    city, blank = city_record(game.city), new_sheets(game.city,1)[0]
    net = fresh(1) if init is None else np.load(init)["net"]
    grads = [np.zeros(1,NETWORK) for _ in range(threads)]
    m, v = np.zeros(1,NETWORK), np.zeros(1,NETWORK)
    rooms = [room() for _ in range(threads)]
    for r in rooms: r.shared[:] = game.start().shared
    gens = [seeded(f"train|{map}|{i}|{out}") for i in range(threads)]
    flat = lambda n: n.view(np.float32).reshape(-1)
    totals = [np.zeros(8) for _ in range(threads)]
    options = np.array(opts, np.int64)
    start = time.time(); step = 0; games=0; last=0; smooth=None
    with ThreadPoolExecutor(threads) as pool:
        while True:
            f = (time.time()-start)/(minutes*60)
            if f >= 1: break
            lr = lr0*max(0.02, (1-f)**1.5) if f>0.005 else lr0*0.3
            trace = 0.9 - 0.5*f
            list(pool.map(lambda i: k.learn_games(city, arrays(net), arrays(grads[i]), rooms[i], blank, gens[i], batch, 50, trace, options, totals[i]), range(threads)))
            for g in grads[1:]:
                grads[0].view(np.float32)[:] += g.view(np.float32); g.view(np.float32)[:] = 0
            k.adam(flat(net), flat(grads[0]), flat(m), flat(v), lr, 1.0/(batch*threads*36))
            step += 1; games += batch*threads
            if time.time()-last > 20:
                T = sum(totals); n = games - (smooth or 0)
                print(f"{time.time()-start:6.0f}s games {games} mean {T[0]/n:.2f} rms {np.sqrt(T[1]/n):.2f} lr {lr:.5f}", flush=True)
                for t in totals: t[:] = 0
                smooth = games; last=time.time()
                np.savez(out, net=net)
    T=np.zeros(8)
    k.learn_games(city, arrays(net), arrays(grads[0]), rooms[0], blank, seeded("test"), 20000, 0, -1.0, options, T)
    sd=np.sqrt(T[3]/20000-(T[0]/20000)**2)
    print("greedy-net", T[0]/20000, "+-", sd/20000**.5, "sd", sd)
    np.savez(out, net=net)

def widen(old):
    net = fresh(7)
    w = old["first"].shape[2]
    net["first"][:,:,:w]=old["first"]; net["first_bias"][:,:w]=old["first_bias"]
    net["first"][:,:,w:]*=0.5
    net["second"][:]=0; net["second"][:,:,:w]=old["second"]
    for k in ("second_bias","third","third_bias"): net[k]=old[k]
    return net
def load_net(f):
    n=np.load(f)["net"]
    return n if n.dtype==NETWORK else widen(n)
from headway.bots.nextstation import search
def study(map, minutes, out, opts, init, threads=2, batch=4, lr0=3e-4, margin=5.0):
    game = box("next-station").open(map,1)
    k = compiled(selfplay)
    city, blank = city_record(game.city), new_sheets(game.city,1)[0]
    net = load_net(init)
    grads = [np.zeros(1,NETWORK) for _ in range(threads)]
    m, v = np.zeros(1,NETWORK), np.zeros(1,NETWORK)
    rooms = [room() for _ in range(threads)]
    trees = [search.new_tree(2000) for _ in range(threads)]
    for r in rooms: r.shared[:] = game.start().shared
    gens = [seeded(f"study|{map}|{i}|{out}") for i in range(threads)]
    flat = lambda n: n.view(np.float32).reshape(-1)
    totals = [np.zeros(8) for _ in range(threads)]
    options = np.array(opts, np.int64)
    start = time.time(); games=0; last=start; seen=0
    with ThreadPoolExecutor(threads) as pool:
        while True:
            f = (time.time()-start)/(minutes*60)
            if f >= 1: break
            lr = lr0*max(0.02, (1-f)**1.3)
            before=sum(t[2] for t in totals)
            list(pool.map(lambda i: k.study_games(city, arrays(net), arrays(grads[i]), rooms[i], trees[i], blank, gens[i], batch, margin, 60, options, totals[i]), range(threads)))
            for g in grads[1:]:
                grads[0].view(np.float32)[:] += g.view(np.float32); g.view(np.float32)[:] = 0
            n=sum(t[2] for t in totals)-before
            k.adam(flat(net), flat(grads[0]), flat(m), flat(v), lr, 1.0/n)
            games += batch*threads
            if time.time()-last > 30:
                T = sum(totals); n=T[4]
                print(f"{time.time()-start:6.0f}s games {games} mean {T[0]/n:.2f} rms {np.sqrt(T[1]/T[2]):.2f} sheets/game {T[2]/n:.0f} lr {lr:.5f}", flush=True)
                for t in totals: t[:] = 0
                last=time.time()
                np.savez(out, net=net)
    np.savez(out, net=net)
    T=np.zeros(8)
    k.learn_games(city, arrays(net), arrays(grads[0]), rooms[0], blank, seeded("test"), 10000, 0, -1.0, options, T)
    print("greedy-net", T[0]/10000)
if __name__=="__main__":
    mode, map, minutes, out, o = sys.argv[1:6]
    init=sys.argv[6] if len(sys.argv)>6 else None
    sets={"base":[[0,0,0]], "op":[[1,1,0]], "all":[[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0,0,1],[1,0,1]]}
    if mode=="learn": main(map, float(minutes), out, sets[o], init=init)
    else: study(map, float(minutes), out, sets[o], init)
