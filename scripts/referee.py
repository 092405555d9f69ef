#!/usr/bin/env python3
"""Plays games between our engine and another UCI engine under an independent referee.

    scripts/referee.py --games 500 --tc 1+0.01 target/release/secateur "gnuchess --uci"

python-chess (pip install chess) speaks to the engines, knows the rules, keeps the clock and decides.
The first engine is ours. Each opening, a few random moves, is played twice with colours exchanged;
both engines are started anew for every game. A crash, an illegal move, an answer that does not come
or a loss on time is a fault of the side that made it: it loses the game, and the run goes on. What
the referee itself needs counts on the clock of the engine, so nothing else should run meanwhile.

With --out FILE each game is a JSON line there as soon as it is over, and a run that was ended goes
on behind the games that the file already has.

Exit status: 0 our side had no fault, 1 it had one, 2 bad input.
"""

import argparse
import asyncio
import json
import os
import random
import shlex
import shutil
import sys
import time

try:
    import chess
    import chess.engine
except ImportError:
    print("error: python-chess is missing: pip install chess", file=sys.stderr)
    sys.exit(2)

FAULTS = ("crash", "illegal", "time", "stall")
# An engine that is out of time by this much is not waited for.
PATIENCE = 10.0
# A game that is as long is a draw.
MOST_MOVES = 300


def arguments():
    parser = argparse.ArgumentParser(
        description="Games between our engine and another one, with python-chess as the referee.",
        epilog=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("ours", help="the command of our engine")
    parser.add_argument("theirs", help="the command of the other engine")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--tc", default="1+0.01", help="seconds+increment, as 1+0.01")
    parser.add_argument("--margin", type=int, default=0, metavar="MS",
                        help="milliseconds that a clock may be below zero (default %(default)s)")
    parser.add_argument("--concurrency", type=int, default=1, help="games at once")
    parser.add_argument("--hash", type=int, default=16, metavar="MIB")
    parser.add_argument("--plies", type=int, default=8, help="random plies of an opening")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    parser.add_argument("--out", metavar="FILE", help="a JSON line for each game; resumed if there")
    given = parser.parse_args()
    try:
        base, _, increment = given.tc.partition("+")
        given.base, given.increment = float(base), float(increment or 0)
        if given.base <= 0 or given.increment < 0:
            raise ValueError
    except ValueError:
        parser.error(f"--tc is seconds+increment, as 1+0.01, not {given.tc!r}")
    if min(given.games, given.concurrency, given.hash) < 1 or given.plies < 0 or given.margin < 0:
        parser.error("--games, --concurrency and --hash are at least 1, --plies and --margin 0")
    for side in ("ours", "theirs"):
        words = shlex.split(getattr(given, side))
        if not words or not (os.access(words[0], os.X_OK) or shutil.which(words[0])):
            parser.error(f"{getattr(given, side)!r} cannot be run")
        # Linux looks for a name without a slash in PATH only.
        if not shutil.which(words[0]):
            words[0] = os.path.abspath(words[0])
        setattr(given, side, words)
    return given


def refuse(what):
    """Ends the run for bad input."""
    print(f"error: {what}", file=sys.stderr)
    sys.exit(2)


def opening(seed, number, plies):
    """The moves of the opening with this number: the same in every run, and no game that is over."""
    for attempt in range(1000):
        chance = random.Random(f"{seed}/{number}/{attempt}")
        board = chess.Board()
        for _ in range(plies):
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            if not moves:
                break
            board.push(chance.choice(moves))
        if len(board.move_stack) == plies and not board.is_game_over(claim_draw=True):
            return list(board.move_stack)
    refuse(f"no opening of {plies} plies was found")


class Fault(Exception):
    """What an engine did wrong."""

    def __init__(self, kind, what):
        super().__init__(what)
        self.kind = kind


async def started(words, mebibytes):
    """A running engine; whatever goes wrong here is a crash."""
    try:
        transport, engine = await asyncio.wait_for(
            chess.engine.popen_uci(words, stderr=asyncio.subprocess.DEVNULL), PATIENCE)
        engine.killed_by_us = transport.kill
        if "Hash" in engine.options:
            await asyncio.wait_for(engine.configure({"Hash": mebibytes}), PATIENCE)
        await asyncio.wait_for(engine.ping(), PATIENCE)
        return engine
    except asyncio.TimeoutError:
        raise Fault("stall", "does not answer after the start") from None
    except (chess.engine.EngineError, OSError) as error:
        raise Fault("crash", f"at the start: {error}") from None


async def ended(engine):
    """Politely if it can be had, and certainly."""
    try:
        await asyncio.wait_for(engine.quit(), 1)
    except (asyncio.TimeoutError, chess.engine.EngineError, OSError):
        pass
    try:
        engine.killed_by_us()
    except (ProcessLookupError, OSError):
        pass


async def moved(engine, board, clocks, given, game):
    """The move of an engine and the seconds it took."""
    limit = chess.engine.Limit(
        white_clock=max(clocks[chess.WHITE], 0.001), black_clock=max(clocks[chess.BLACK], 0.001),
        white_inc=given.increment, black_inc=given.increment)
    begun = time.monotonic()
    try:
        result = await asyncio.wait_for(
            engine.play(board, limit, game=game), clocks[board.turn] + PATIENCE)
    except asyncio.TimeoutError:
        raise Fault("stall", f"no answer within {clocks[board.turn] + PATIENCE:.1f} s") from None
    except chess.engine.EngineTerminatedError as error:
        raise Fault("crash", str(error)) from None
    except (chess.engine.EngineError, OSError) as error:
        # The move of an answer is read by the rules: what they do not know is refused here.
        raise Fault("illegal", str(error)) from None
    except Exception as error:  # Whatever an engine makes the referee stumble over ends one game.
        raise Fault("crash", repr(error)) from None
    elapsed = time.monotonic() - begun
    if result.move is None or result.move not in board.legal_moves:
        raise Fault("illegal", f"answers {result.move}")
    return result.move, elapsed


async def play(number, given):
    """One game, as the line that is written for it."""
    ours_white = number % 2 == 0
    board = chess.Board()
    for move in opening(given.seed, number // 2, given.plies):
        board.push(move)
    record = {
        "game": number, "white": "ours" if ours_white else "theirs", "result": None,
        "score": None, "reason": None, "fault": None, "by": None, "what": None,
    }
    clocks = {chess.WHITE: given.base, chess.BLACK: given.base}
    lowest = {"ours": given.base, "theirs": given.base}
    engines = {}
    side = "ours"
    try:
        for side, words in (("ours", given.ours), ("theirs", given.theirs)):
            engines[side] = await started(words, given.hash)
        while True:
            outcome = board.outcome(claim_draw=True)
            if outcome is not None:
                record["result"] = outcome.result()
                record["reason"] = outcome.termination.name.lower()
                break
            if board.fullmove_number > MOST_MOVES:
                record["result"], record["reason"] = "1/2-1/2", "too many moves"
                break
            colour = board.turn
            side = "ours" if (colour == chess.WHITE) == ours_white else "theirs"
            move, elapsed = await moved(engines[side], board, clocks, given, number)
            clocks[colour] -= elapsed
            lowest[side] = min(lowest[side], clocks[colour])
            if clocks[colour] < -given.margin / 1000:
                raise Fault("time", f"{-clocks[colour] * 1000:.0f} ms too late, "
                                    f"after {elapsed * 1000:.0f} ms")
            clocks[colour] += given.increment
            board.push(move)
    except Fault as fault:
        record.update(fault=fault.kind, by=side, what=str(fault), reason=fault.kind)
        record["result"] = "0-1" if (side == "ours") == ours_white else "1-0"
    finally:
        for engine in engines.values():
            await ended(engine)
    for_white = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[record["result"]]
    record["score"] = for_white if ours_white else 1.0 - for_white
    record["plies"] = len(board.move_stack)
    record["lowest_clock_ms"] = {name: round(left * 1000) for name, left in lowest.items()}
    record["moves"] = " ".join(move.uci() for move in board.move_stack)
    return record


def earlier(path, conditions):
    """The games that the file has, by number. A last line cut short was a game that is not over."""
    games = {}
    if not path or not os.path.exists(path):
        return games
    with open(path, encoding="utf-8") as file:
        for line in file:
            try:
                record = json.loads(line)
                number = record["game"]
            except (ValueError, KeyError, TypeError):
                continue
            if record.get("conditions") != conditions:
                refuse(f"{path} holds games under other conditions: {record.get('conditions')}")
            games[number] = record
    return games


def append(path, record):
    """Whole and on the disc, so that nothing is lost whenever the run ends."""
    with open(path, "ab+") as file:
        # Behind a line that was cut short, a new one begins.
        if file.tell() > 0:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(json.dumps(record).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def summary(games):
    """One line: the score, and the faults of each side."""
    scores = [record["score"] for record in games.values()]
    wins, draws, losses = (scores.count(score) for score in (1.0, 0.5, 0.0))
    text = f"{len(games)} games: +{wins} ={draws} -{losses}"
    for side in ("ours", "theirs"):
        of_side = [record["fault"] for record in games.values() if record["by"] == side]
        counts = ", ".join(f"{name} {of_side.count(name)}" for name in FAULTS)
        text += f"; {side}: {counts}"
    return text


async def run(given):
    conditions = {
        "ours": " ".join(given.ours), "theirs": " ".join(given.theirs), "tc": given.tc,
        "margin": given.margin, "hash": given.hash, "plies": given.plies, "seed": given.seed,
    }
    games = earlier(given.out, conditions)
    games = {number: record for number, record in games.items() if number < given.games}
    if games:
        print(f"{len(games)} games are there already", flush=True)
    waiting = iter([number for number in range(given.games) if number not in games])

    async def table():
        for number in waiting:
            record = await play(number, given)
            record["conditions"] = conditions
            if given.out:
                append(given.out, record)
            games[number] = record
            if record["fault"]:
                print(f"game {number}: {record['by']}: {record['fault']}: {record['what']}",
                      flush=True)
            if len(games) % 10 == 0:
                print(summary(games), flush=True)

    try:
        await asyncio.gather(*(table() for _ in range(given.concurrency)))
    finally:
        print("total " + summary(games), flush=True)
    return any(record["by"] == "ours" for record in games.values())


def main():
    given = arguments()
    try:
        sys.exit(1 if asyncio.run(run(given)) else 0)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
