//! Children before parents, positions of one cycle together (Tarjan, 1972).

use super::graph::{Graph, NodeId};

const UNSEEN: u32 = u32::MAX;

/// The strongly connected components of the marked part of a graph, each after those that it leads
/// to. The part must hold every cycle whole: what lies above some positions does, and what lies
/// below one is taken to.
pub fn components(graph: &Graph, which: &[NodeId], marked: &[bool]) -> Vec<Vec<NodeId>> {
    let mut number = vec![UNSEEN; graph.len()];
    let mut low = vec![0; graph.len()];
    let mut on_stack = vec![false; graph.len()];
    let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
    // Positions being looked at, with the next move of each. A line can be long: no recursion.
    let mut open: Vec<(NodeId, usize)> = Vec::new();
    for &start in which {
        if number[start as usize] != UNSEEN {
            continue;
        }
        open.push((start, 0));
        while let Some((id, next)) = open.last_mut() {
            let at = *id as usize;
            if *next == 0 && number[at] == UNSEEN {
                (number[at], low[at]) = (count, count);
                count += 1;
                on_stack[at] = true;
                stack.push(*id);
            }
            let Some(edge) = graph.node(*id).edges.get(*next) else {
                let done = *id;
                open.pop();
                if let Some((parent, _)) = open.last() {
                    low[*parent as usize] = low[*parent as usize].min(low[at]);
                }
                if low[at] == number[at] {
                    let begin = stack.iter().rposition(|id| *id == done).unwrap_or(0);
                    let mut component: Vec<NodeId> = stack.drain(begin..).collect();
                    component.iter().for_each(|id| on_stack[*id as usize] = false);
                    component.sort_unstable();
                    found.push(component);
                }
                continue;
            };
            *next += 1;
            let child = edge.child as usize;
            if !marked[child] {
                continue;
            }
            if number[child] == UNSEEN {
                open.push((edge.child, 0));
            } else if on_stack[child] {
                low[at] = low[at].min(number[child]);
            }
        }
    }
    found
}
