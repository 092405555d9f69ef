#!/usr/bin/env python3
"""Positions with one clearly best move that a shallow look does not find, from games.

    scripts/make-tactics.py --judge stockfish --depth 14 --lead 150 games.pgn ... > crates/lab/suites/tactics.epd

A judge searches each position to --depth with its two best lines. Kept are those where the best move
leads the second by --lead hundredths or more, is not simply the taking back of what was taken, and is
not what the judge plays at --shallow plies. No game gives more than one. Needs `pip install chess`.
"""
import argparse
import random
import sys

import chess
import chess.engine
import chess.pgn


def games(paths):
    for path in paths:
        with open(path) as file:
            while (game := chess.pgn.read_game(file)) is not None:
                yield game


def positions(game, chance):
    """Positions of the middle of the game, in an order of chance, with the move that led there."""
    found, board, last = [], game.board(), None
    for move in game.mainline_moves():
        if board.fullmove_number >= 9 and len(board.piece_map()) >= 8 and board.legal_moves.count() > 4:
            found.append((board.copy(stack=False), last))
        last = (move, board.is_capture(move))
        board.push(move)
    chance.shuffle(found)
    return found[:24]


def centipawns(info):
    return info["score"].relative.score(mate_score=10_000)


def tactic(engine, board, last, given):
    """The best move, if the position is one to keep."""
    limit = chess.engine.Limit(depth=given.depth)
    quick = engine.analyse(board, chess.engine.Limit(depth=6), multipv=2)
    if len(quick) < 2 or centipawns(quick[0]) - centipawns(quick[1]) < given.lead // 2:
        return None
    lines = engine.analyse(board, limit, multipv=2)
    best, second = lines
    move = best["pv"][0]
    lead = centipawns(best) - centipawns(second)
    # Neither what is won anyway nor what is lost anyway.
    if lead < given.lead or centipawns(second) > 500 or centipawns(best) < -50:
        return None
    if last and last[1] and move.to_square == last[0].to_square:
        return None
    engine.configure({"Clear Hash": None})
    if engine.play(board, chess.engine.Limit(depth=given.shallow)).move == move:
        return None
    return move


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--judge", default="stockfish")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--depth", type=int, default=20)
    parser.add_argument("--shallow", type=int, default=1)
    parser.add_argument("--lead", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    engine = chess.engine.SimpleEngine.popen_uci(given.judge)
    engine.configure({"Threads": 1, "Hash": 64})
    kept, seen = 0, set()
    print("# Made by scripts/make-tactics.py from games of this engine; see there.")
    for game in games(given.files):
        for board, last in positions(game, chance):
            if board.epd() in seen:
                continue
            seen.add(board.epd())
            move = tactic(engine, board, last, given)
            if move is not None:
                kept += 1
                print(board.epd(bm=[move], id=f"tactic {kept}"), flush=True)
                break
        if kept >= given.count:
            break
    engine.quit()
    print(f"{kept} positions", file=sys.stderr)


if __name__ == "__main__":
    main()
