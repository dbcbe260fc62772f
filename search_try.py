import sys, time
import numpy as np
from headway.games import box
from headway.games.kernel import compiled
from headway.games.nextstation.layout import *
from headway.games.nextstation import playouts
from headway.games.xorshift import seeded
from headway.bots.nextstation import selfplay, search, network
from train_try import arrays
from headway.games.kernel import BIT
import random

def main(map, netfile, games, sims, c, opts=(0,0,0), seed0=0, seconds=None):
    game = box("next-station").open(map,1)
    k = compiled(search, playouts)
    city, blank = city_record(game.city), new_sheets(game.city,1)
    net = arrays(np.load(netfile)["net"])
    tree = search.new_tree(60000)
    shared = np.zeros(2, SHARED); shared[:] = game.start().shared
    shared["use_objectives"],shared["use_powers"],shared["use_special"] = opts
    room = np.zeros(32,np.int64)
    res=[]; dec=0; cpu=0.0; nsim=0; solved=0
    for g in range(games):
        gen = seeded(f"deal|{map}|{seed0+g}")
        sh = shared[0]; sh["phase"],sh["round"],sh["turn"],sh["shown"],sh["undergrounds"],sh["switched"]=REVEAL,0,0,0,0,0
        k.deal_setup(city, sh, gen, room)
        sheets = blank.copy()
        k.clear(tree)
        while sh["phase"]!=OVER:
            if sh["turn"]==0:
                cards = np.arange(11); k.shuffle(gen, cards, 11); cards=list(cards); 
            sh["phase"]=REVEAL
            before = sh.copy()
            sw=0
            card=int(cards.pop(0)); k.reveal(sh, card)
            if card==5: sw=1; card=int(cards.pop(0)); k.reveal(sh, card)
            t=time.thread_time()
            if tree.used[0] > 30000 or sh["turn"]==1: k.clear(tree)
            tree.shared[:] = before
            root = k.add_node(city, net, tree, sheets[0], tree.shared[0])
            at = k.root_outcome(tree, root, card, sw)
            o = tree.outcomes[at]
            if o["edges"]>1 and sims>0:
                nsim+=k.think(city, net, tree, root, at, sims, c)
                dec+=1
            cpu+=time.thread_time()-t
            es = tree.edges[o["first"]:o["first"]+o["edges"]]
            move = int(es["move"][np.argmax(es["value"])])
            solved += int(o["solved"])
            k.play(city, sh, sheets[0], move)
            k.end_turn(sh, sheets)
        res.append(k.score(city, sh, sheets[0], np.zeros(1,SCORE)[0]))
        if g==0: cpu=0; dec=0
    r=np.array(res)
    print(f"{map} sims {sims} c {c} games {games}: {r.mean():.2f} +- {r.std()/games**.5:.2f}  cpu/dec {cpu/max(dec,1)*1000:.2f} ms  sims/dec {nsim/max(dec,1):.0f}", flush=True)
    return r
if __name__=="__main__":
    a=sys.argv
    main(a[1], a[2], int(a[3]), int(a[4]), float(a[5]), opts=tuple(map(int,a[6])) if len(a)>6 else (0,0,0))
