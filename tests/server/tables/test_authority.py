"""Tables over HTTP and sockets, as people use them; on SQLite and on PostgreSQL with Redis."""

from __future__ import annotations

import json
import threading
import uuid

import httpx
import pytest
from server.services import PATIENT, Guest, Server, await_turn, play_out, until
from server.steps import answer_undo

from headway import record


def test_whole_game_of_two_people_and_a_bot(server: Server) -> None:
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open", "greedy", options={"objectives": True}, public=True)
    waiting = ann.see(table)
    assert waiting["started"] is None
    assert waiting["views"]["0"]["pencils"] == []
    assert waiting["legal"] == {"0": []}
    assert table in [t["id"] for t in ben.ok(ben.http.get("/api/tables?which=open"))]
    joined = ben.join(table)
    assert list(joined["views"]) == ["1"]
    assert [seat["name"] for seat in joined["seats"]] == ["Ann", "Ben", "greedy"]
    assert joined["started"] is not None
    end = play_out(table, {0: ann, 1: ben})
    assert end["outcome"]["winners"]
    assert end["fair"]["commitment"] == waiting["commitment"]
    answer = ann.http.get(f"/api/tables/{table}/record")
    assert answer.headers["content-disposition"].startswith("attachment")
    result = record.verify(record.read(answer.content))
    assert list(result.outcome.totals) == end["outcome"]["totals"]
    assert result.record.names == ["Ann", "Ben", "greedy"]
    assert [t["id"] for t in ben.ok(ben.http.get("/api/tables?which=mine"))] == [table]
    assert table not in [t["id"] for t in ben.ok(ben.http.get("/api/tables?which=open"))]


def test_solo_at_once(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me", map="tokyo")
    seen = ann.see(table)
    assert seen["started"] == seen["created"]
    assert seen["legal"]["0"]
    after = ann.move(table, 0, number=seen["number"])
    assert after["number"] == 1
    assert after["views"]["0"]["turn"] == 2


def test_several_people_at_one_screen(server: Server) -> None:
    ann = server.guest("Ann")
    table = ann.set_up("me", "me", "me")
    assert set(ann.see(table)["views"]) == {"0", "1", "2"}
    for seat in range(3):
        ann.move(table, seat)
    assert ann.see(table)["views"]["2"]["turn"] == 2


def test_same_client_id_is_the_same_move(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me")
    client_id = str(uuid.uuid4())
    first = ann.move(table, 0, "pass", client_id=client_id)
    again = ann.move(table, 0, "pass", client_id=client_id)
    assert (first["number"], again["number"]) == (1, 1)
    other = ann.set_up("me", "me")
    ann.move(other, 0, "pass", client_id=client_id)
    refused = ann.try_move(other, 1, "pass", client_id=client_id)
    assert (refused.status_code, refused.json()["error"]["key"]) == (409, "server.id_used")


def test_a_known_client_id_tells_strangers_nothing(server: Server) -> None:
    """Whoever overhears the id of a move gets the same answers as for one that was never used."""
    ann, eve = server.guest(), server.guest()
    table = ann.set_up("me")
    ann.move(table, 0, "pass", client_id="overheard-id")
    for path, body in (("moves", {"move": "pass"}), ("undo", {})):
        answers = [
            eve.post(f"tables/{table}/{path}", seat=seat, client_id=client_id, **body)
            for client_id in ("overheard-id", "never-used-id")
            for seat in (0, 1)
        ]
        known, unknown = (
            [(a.status_code, a.json()["error"]["key"]) for a in some]
            for some in (answers[:2], answers[2:])
        )
        assert known == unknown
    assert ann.ok(ann.try_move(table, 0, "pass", client_id="overheard-id"))["number"] == 1


def test_strangers_cannot_remove_a_table(server: Server) -> None:
    ann, eve = server.guest(), server.guest()
    table = ann.set_up("me")
    for path in (table, "bcdfghjkmn"):
        refused = eve.post(f"tables/{path}/remove")
        assert (refused.status_code, refused.json()["error"]["key"]) == (404, "server.no_table")
    assert ann.post(f"tables/{table}/remove").status_code == 204


def test_move_for_a_turn_that_is_over(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me")
    ann.move(table, 0, "pass", number=0)
    late = ann.try_move(table, 0, "pass", number=0)
    assert (late.status_code, late.json()["error"]["key"]) == (409, "server.moved_on")
    assert ann.see(table)["number"] == 1


def test_others_moves_do_not_make_a_move_late(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    table = ann.set_up("me", "open")
    ben.join(table)
    seen = ann.see(table)["number"]
    ben.move(table, 1)
    ann.move(table, 0, number=seen)


def test_many_writers_at_once_write_one_move(server: Server) -> None:
    """A double click, many times over: the same turn is played once."""
    ann = server.guest()
    table = ann.set_up("me", "me")
    answers: list[int] = []

    def click() -> None:
        answers.append(ann.try_move(table, 0, "pass").status_code)

    threads = [threading.Thread(target=click) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200] + [409] * 7
    assert ann.see(table)["number"] == 1


def test_only_the_holder_moves(server: Server) -> None:
    ann, eve = server.guest(), server.guest()
    table = ann.set_up("me", "me")
    refused = eve.try_move(table, 0, "pass")
    assert (refused.status_code, refused.json()["error"]["key"]) == (403, "server.not_yours")
    assert eve.post(f"tables/{table}/why", seat=0, move="pass").status_code == 403
    assert eve.post(f"tables/{table}/undo", seat=0, client_id="a" * 8).status_code == 403
    assert eve.post(f"tables/{table}/leave", seat=0).status_code == 403
    assert eve.post(f"tables/{table}/seats/0/bot", bot="random").status_code == 403
    assert eve.post(f"tables/{table}/join", seat=0).status_code == 409
    assert list(eve.see(table)["views"]) == ["-1"]
    assert eve.see(table)["legal"] == {}


def test_why(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me")
    seen = ann.see(table)
    assert ann.ok(ann.post(f"tables/{table}/why", seat=0, move=seen["legal"]["0"][0])) == {}
    no = ann.ok(ann.post(f"tables/{table}/why?lang=fr", seat=0, move="a0j9"))
    assert no["rule"].startswith("NS-")
    assert "section" in no["sentence"]
    broken = ann.try_move(table, 0, "a0j9")
    assert (broken.status_code, broken.json()["error"]["rule"]) == (422, no["rule"])
    assert ann.try_move(table, 0, "zz").status_code == 400


def test_why_a_route_cannot_be_paid(server: Server) -> None:
    """The question names the route alone; the server picks the payment that comes nearest."""
    ann = server.guest()
    table = ann.set_up("me", "greedy", game="ticket-to-ride", seed=7, training=True)
    ann.move(table, 0, "keep 1")
    far = "elephant_castle-tower_of_london"
    legal = until(lambda: ann.see(table)["legal"]["0"])
    assert not any(move.startswith(f"claim {far} ") for move in legal)
    no = ann.ok(ann.post(f"tables/{table}/why", seat=0, move=f"claim {far}"))
    assert no["rule"] == "TR-10"
    assert no["sentence"] == "You need 4 black; you have 0."


def test_join_leave_and_come_back(server: Server) -> None:
    ann, ben, eve = server.guest("Ann"), server.guest("Ben"), server.guest("Eve")
    table = ann.set_up("me", "open")
    ben.join(table, name="Benjamin")
    assert eve.post(f"tables/{table}/join").json()["error"]["key"] == "server.full"
    assert ben.post(f"tables/{table}/join", seat=1).json()["error"]["key"] == "server.yours"
    table = ann.set_up("me", "open", "open")
    ben.join(table, seat=1)
    ben.ok(ben.post(f"tables/{table}/leave", seat=1))
    assert ann.see(table)["seats"][1]["kind"] == "open"
    eve.join(table, seat=1)
    ben.join(table)
    assert [s["name"] for s in ann.see(table)["seats"]] == ["Ann", "Eve", "Ben"]
    assert ann.see(table)["started"] is not None


def test_host_fills_a_free_seat_with_a_bot(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me", "open")
    assert ann.try_move(table, 0, "pass").json()["error"]["key"] == "server.not_started"
    ann.ok(ann.post(f"tables/{table}/seats/1/bot", bot="greedy"))
    ann.move(table, 0)
    until(lambda: ann.see(table)["views"]["0"]["turn"] == 2)


def test_own_seat_to_a_bot_and_back(server: Server) -> None:
    ann, ben = server.guest("Ann"), server.guest()
    table = ann.set_up("me", "open")
    ben.join(table)
    ann.ok(ann.post(f"tables/{table}/seats/0/bot", bot="random"))
    ben.move(table, 1)
    until(lambda: ben.see(table)["views"]["1"]["turn"] == 2)
    seat = until(lambda: (s := ann.see(table)["seats"][0])["moved"] and s)
    assert (seat["name"], seat["kind"], seat["bot"], seat["mine"]) == (
        "Ann",
        "bot",
        "random",
        False,
    )
    ann.join(table, seat=0)
    assert ann.see(table)["seats"][0]["mine"]


def test_seat_left_for_long_goes_to_a_bot(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    table = ann.set_up("me", "open")
    ben.join(table)
    ann.move(table, 0)
    early = ann.see(table)["seats"][1]["away_at"]

    def given() -> bool:
        answer = ann.post(f"tables/{table}/seats/1/bot", bot="greedy")
        if answer.status_code == 409:
            assert answer.json()["error"]["key"] == "server.not_away"
        return answer.status_code == 200

    until(given)
    assert ann.see(table)["now"] >= early
    until(lambda: ann.see(table)["views"]["0"]["turn"] == 2)


def test_undo_is_free_until_something_is_revealed(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    table = ann.set_up("me", "open", "random")
    ben.join(table)
    ann.move(table, 0)
    seen = until(lambda: (s := ann.see(table))["seats"][2]["moved"] and s)
    assert seen["can_undo"] == {"0": True}
    assert seen["views"]["0"]["own_move"]
    client_id = str(uuid.uuid4())
    asked = ann.ok(ann.post(f"tables/{table}/undo", seat=0, client_id=client_id))
    again = ann.ok(ann.post(f"tables/{table}/undo", seat=0, client_id=client_id))
    assert again["number"] == asked["number"]
    ben.ok(answer_undo(ben, table, grant=True))
    back = ann.see(table)
    assert back["views"]["0"]["own_move"] is None
    assert back["seats"][2]["moved"]
    assert back["can_undo"] == {"0": False}
    ann.move(table, 0)
    ben.move(table, 1)
    until(lambda: ann.see(table)["views"]["0"]["turn"] == 2)
    refused = ann.post(f"tables/{table}/undo", seat=0, client_id=str(uuid.uuid4()))
    assert (refused.status_code, refused.json()["error"]["key"]) == (409, "server.undo_revealed")


def test_training_against_bots_can_always_be_taken_back(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me", "random", training=True, seed=7)
    first = ann.see(table)["views"]["0"]["card"]
    for turn in range(2, 5):
        ann.move(table, 0)
        await_turn(ann, table, turn)
    for turn in (3, 2, 1):
        back = ann.ok(ann.post(f"tables/{table}/undo", seat=0, client_id=str(uuid.uuid4())))
        assert back["views"]["0"]["turn"] == turn
    assert back["views"]["0"]["card"] == first
    solo = ann.set_up("me")
    ann.move(solo, 0)
    assert ann.see(solo)["can_undo"] == {"0": False}


def test_rematch_is_one_table_for_all(server: Server) -> None:
    ann, ben = server.guest("Ann"), server.guest("Ben")
    table = ann.set_up("me", "open")
    ben.join(table)
    assert ann.post(f"tables/{table}/rematch").json()["error"]["key"] == "server.not_over"
    play_out(table, {0: ann, 1: ben}, pick=0)
    rematches: list[str] = []
    threads = [
        threading.Thread(
            target=lambda g=g: rematches.append(g.ok(g.post(f"tables/{table}/rematch"))["id"])
        )
        for g in (ann, ben, ann, ben)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rematches) == 4
    assert set(rematches) == {ann.see(table)["next"]}
    again = ben.see(rematches[0])
    assert [seat["name"] for seat in again["seats"]] == ["Ann", "Ben"]
    assert again["seats"][1]["mine"]
    assert again["commitment"] != ben.see(table)["commitment"]
    assert server.guest().post(f"tables/{table}/rematch").status_code == 200


def test_socket_tells_everybody_what_they_may_know(server: Server) -> None:
    ann, ben, eve = server.guest("Ann"), server.guest("Ben"), server.guest()
    table = ann.set_up("me", "open")
    with ann.socket(table) as ear, eve.socket(table) as watcher:
        assert ear.table()["started"] is None
        ben.join(table)
        assert ear.table(lambda t: t["started"])["legal"]["0"]
        seen = watcher.table(lambda t: t["started"])
        assert (list(seen["views"]), seen["legal"]) == (["-1"], {})
        moved = ann.ok(ann.try_move(table, 0, "pass", client_id="click-0001"))
        assert moved == ann.ok(ann.try_move(table, 0, "pass", client_id="click-0001"))
        assert moved == {"number": 2}
        assert ear.table(lambda t: t["number"] == 2)["seats"][0]["moved"]
        seen = watcher.table(lambda t: t["number"] == 2)
        assert [seat["moved"] for seat in seen["seats"]] == [True, False]
        refused = ann.try_move(table, 1, "pass")
        assert refused.json()["error"]["key"] == "server.not_yours"
        with ben.socket(table):
            ear.await_people([0, 1], 1)
        ear.await_people([0], 1)
        with server.guest("Ned").socket(table) as named:
            ear.await_people([0], 2, ["Ned"])
            watcher.await_people([0], 2, ["Ned"])
            # Nobody hears their own name, nor anything about guests who chose none.
            named.await_people([0], 2)
        ear.say(type="ping")
        ear.wait(lambda m: m == {"type": "pong"})


@pytest.mark.parametrize(
    "message", ["", "{", "[]", '{"type":"steal"}', '{"type":"move"}', "9" * 3000]
)
def test_socket_answers_nonsense_with_a_sentence(server: Server, message: str) -> None:
    ann = server.guest()
    table = ann.set_up("me")
    with ann.socket(table) as ear:
        ear.line.send(message)
        refused = ear.wait(lambda m: m["type"] == "refused")
        assert refused["error"]["sentence"]
        ear.say(type="ping")
        ear.wait(lambda m: m["type"] == "pong")


def test_one_who_was_away_gets_what_was_missed(server: Server) -> None:
    ann, ben = server.guest(), server.guest()
    table = ann.set_up("me", "open")
    ben.join(table)
    with ann.socket(table) as ear:
        ear.table(lambda t: t["started"])
        ann.move(table, 0)
        before = ear.table(lambda t: t["number"] == 2)
    for _ in range(3):
        ben.move(table, 1)
        ann_turn = ann.see(table)
        if ann_turn["legal"]["0"]:
            ann.move(table, 0)
    with ann.socket(table, f"?since={before['number']}") as ear:
        shown = ear.table()
    assert 0 < shown["log_from"] < len(shown["log"]) + shown["log_from"]
    whole = ann.see(table)["log"]
    assert before["log"][: shown["log_from"]] + shown["log"] == whole
    missed = ann.see(table, since=before["number"])
    assert (missed["log_from"], missed["log"]) == (shown["log_from"], shown["log"])


def test_bot_of_somebody_else_plays_with_a_token(server: Server) -> None:
    ann = server.guest()
    token = ann.ok(ann.post("tokens", name="my bot"))["token"]
    table = ann.set_up("me")
    with httpx.Client(
        base_url=server.url, headers={"authorization": f"Bearer {token}"}, **PATIENT
    ) as bot:
        seen = bot.get(f"/api/tables/{table}").json()
        body = {"seat": 0, "move": seen["legal"]["0"][0], "client_id": "bot-move-1"}
        answer = bot.post(f"/api/tables/{table}/moves", json=body)
        assert (answer.status_code, answer.json()["number"]) == (200, 1)
        assert "set-cookie" not in answer.headers
        bot.headers["authorization"] = "Bearer wrong"
        assert bot.get("/api/me").status_code == 401
    headers = {"authorization": f"Bearer {token}"}
    with ann.socket(table, origin=None, additional_headers=headers) as ear:
        assert list(ear.table()["views"]) == ["0"]


def test_record_keeps_seed_and_salt_until_the_end(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me", training=True, seed=424242424242)
    ann.move(table, 0)
    text = ann.http.get(f"/api/tables/{table}/record").text
    assert "424242424242" not in text
    record = json.loads(text)
    assert record["fair"]["salt"] is None
    assert "seed" not in record
    assert len(record["moves"][0]) == 1
    empty = ann.set_up("me", "open")
    assert ann.http.get(f"/api/tables/{empty}/record").status_code == 409


def test_pictures(server: Server) -> None:
    ann = server.guest()
    table = ann.set_up("me", "me", map="tokyo")
    svg = ann.http.get(f"/api/tables/{table}/picture.svg?theme=dark&lang=fr&seat=1")
    assert svg.headers["content-type"].startswith("image/svg+xml")
    assert "<svg" in svg.text
    png = ann.http.get(f"/api/tables/{table}/picture.png?width=200").content
    assert png.startswith(b"\x89PNG")
    assert int.from_bytes(png[16:20]) == 200
    assert ann.http.get(f"/api/tables/{table}/picture.svg?seat=2").status_code == 404


def test_shelf_maps_and_texts(server: Server) -> None:
    ann = server.guest()
    shelf = ann.ok(ann.http.get("/api/shelf"))
    game = shelf["games"][0]
    assert game["name"] == "next-station"
    assert game["never_together"] == [["powers", "special_stations"]]
    for head in game["maps"]:
        answer = ann.http.get(f"/api/shelf/next-station/{head['name']}")
        assert len(answer.json()["stations"]) > 40
        tag = answer.headers["etag"]
        again = ann.http.get(answer.url.path, headers={"if-none-match": tag})
        assert (again.status_code, again.content) == (304, b"")
        plain = ann.http.get(answer.url.path, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert answer.headers["content-encoding"] == "gzip"
        assert int(answer.headers["content-length"]) < len(plain.content) / 3
        assert answer.json() == plain.json()
    texts = {lang: ann.ok(ann.http.get(f"/api/texts/{lang}")) for lang in ("en", "fr")}
    assert texts["en"].keys() == texts["fr"].keys()
    assert not [key for key in texts["en"] if key.startswith("cli.")]
    assert ann.http.get("/api/texts/de").status_code == 404
    assert ann.http.get("/api/shelf/chess/london").status_code == 404


def test_name_of_a_guest(server: Server) -> None:
    ann = server.guest()
    assert ann.ok(ann.http.get("/api/me"))["name"].startswith("Guest ")
    assert ann.ok(ann.http.get("/api/me?lang=fr"))["name"].startswith("Invité ")
    tidy = ann.ok(ann.http.patch("/api/me", json={"name": "  Zoë\u202e \n 🚇 "}))["name"]
    assert tidy == "Zoë 🚇"
    assert ann.http.patch("/api/me", json={"name": "\u200b"}).status_code == 400
    assert ann.http.patch("/api/me", json={"name": "x" * 41}).status_code == 400
    same = Guest.ok(ann.http.get("/api/me"))
    assert (same["id"], same["name"]) == (ann.id, "Zoë 🚇")
