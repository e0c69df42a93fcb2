"""Cytron's and Braun's builders against each other and against the definitions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings

from ssarel.builders import BUILDERS, braun, cytron
from ssarel.builders.dominators import immediate_dominators
from ssarel.flow import Flow
from ssarel.rename import rename
from ssarel.ssa import Ssa, phi_site
from tests.flows import dominators, flows, make_flow, reach, reaching

Builder = Callable[[Flow], Ssa]
DIAMOND = [[1], [2, 6], [3, 4], [5], [5], [7], [7], []]
"""Entry 0, then the seven-block diamond 1..7: 1 branches to 2 and 6, 2 to 3 and 4, both meet at 5, all meet at 7."""


def sources(flow: Flow, form: Ssa, site: int, variable: int) -> set[int]:
    """The definitions that `site` stands for, looking through phis."""
    operands = {
        phi_site(block): args for (block, name), args in zip(form.phis, form.args, strict=True) if name == variable
    }
    seen = {site}
    stack = [site]
    while stack:
        for operand in operands.get(stack.pop(), ()):
            if operand not in seen:
                seen.add(operand)
                stack.append(operand)
    return {found for found in seen if found >= -1}


@given(flows())
@settings(max_examples=400, deadline=None)
def test_builders_make_the_same_form(flow: Flow) -> None:
    assert braun.build(flow) == cytron.build(flow)


@given(flows())
@settings(max_examples=200, deadline=None)
def test_reads_get_exactly_the_definitions_that_reach_them(flow: Flow) -> None:
    form = braun.build(flow)
    reached = reaching(flow)
    for instr, sites in enumerate(form.use_site):
        assert (sites is not None) or all((instr, pos) not in reached for pos in range(len(flow.uses[instr])))
        for pos, site in enumerate(sites or ()):
            assert sources(flow, form, site, flow.uses[instr][pos]) == reached[instr, pos]


@given(flows())
@settings(max_examples=200, deadline=None)
def test_phis_merge_two_values_and_are_live(flow: Flow) -> None:
    form = cytron.build(flow)
    wanted = {
        (site, variable)
        for instr, sites in enumerate(form.use_site)
        for site, variable in zip(sites or (), flow.uses[instr], strict=False)
    }
    changed = True
    while changed:
        more = {
            (arg, variable)
            for (block, variable), args in zip(form.phis, form.args, strict=True)
            if (phi_site(block), variable) in wanted
            for arg in args
        }
        changed = not more <= wanted
        wanted |= more
    for (block, variable), args in zip(form.phis, form.args, strict=True):
        assert len(args) == len(flow.pred[block]) >= 2
        assert len(set(args) - {phi_site(block)}) >= 2, "a phi that merges one value"
        assert (phi_site(block), variable) in wanted, "a phi that nothing reads"


@given(flows(max_blocks=9, max_variables=0))
@settings(max_examples=300, deadline=None)
def test_dominance_is_its_definition(flow: Flow) -> None:
    idom = immediate_dominators(flow)
    for block, strict in dominators(flow).items():
        above = {block}
        while block >= 0:
            above.add(block)
            block = idom[block]
        assert above == strict
    assert all(idom[block] == -1 for block in range(len(flow.succ)) if block not in reach(flow))


@given(flows(max_blocks=9, max_variables=0))
@settings(max_examples=200, deadline=None)
def test_frontier_is_its_definition(flow: Flow) -> None:
    doms = dominators(flow)
    frontier = cytron.dominance_frontiers(flow, immediate_dominators(flow))
    for block in doms:
        expected = {
            target
            for target in doms
            if any(block in doms[pred] for pred in flow.pred[target]) and (block == target or block not in doms[target])
        }
        assert sorted(frontier[block]) == sorted(expected)


def test_frontiers_of_the_diamond() -> None:
    flow = make_flow(DIAMOND, [[([], [])] for _ in DIAMOND], 0)
    frontier = cytron.dominance_frontiers(flow, immediate_dominators(flow))
    assert frontier[1:] == [[], [7], [5], [5], [7], [7], []]


@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
def test_a_join_that_loops_to_itself_is_in_its_own_frontier(build: Builder) -> None:
    flow = make_flow([[1], [1, 2], []], [[([], [0])], [([0], [0])], [([0], [])]], 1)
    form = build(flow)
    assert form.phis == [(1, 0)]
    assert form.args == [[0, 1]]
    assert form.use_site == [[], [phi_site(1)], [1]]


@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
def test_undefined_on_one_path_is_visible(build: Builder) -> None:
    flow = make_flow([[1, 2], [2], []], [[([], [])], [([], [0])], [([0], [])]], 1)
    form = build(flow)
    assert form.phis == [(2, 0)]
    assert form.args == [[-1, 1]]


@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
def test_never_defined_needs_no_phi(build: Builder) -> None:
    flow = make_flow([[1, 2], [2], []], [[([], [])], [([], [])], [([0], [])]], 1)
    assert build(flow) == Ssa([], [], [[], [], [-1]])


@pytest.mark.parametrize("build", BUILDERS.values(), ids=BUILDERS)
def test_a_long_chain_needs_no_recursion(build: Builder) -> None:
    blocks = 20_000
    succ = [[at + 1] for at in range(blocks)] + [[]]
    code = [[([], [0])], *([([], [])] for _ in range(blocks - 1)), [([0], [])]]
    assert build(make_flow(succ, code, 1)).use_site[-1] == [0]


def test_braun_without_its_scc_step_keeps_phis_on_irreducible_graphs() -> None:
    succ = [[1, 2], [2, 3], [1], []]
    code = [[([], [0])], [([0], [])], [([], [])], [([0], [])]]
    flow = make_flow(succ, code, 1)
    assert cytron.build(flow).phis == []
    assert braun.build(flow).phis == []
    assert braun.build(flow, remove_sccs=False).phis != []


def test_idom_must_be_a_tree() -> None:
    flow = make_flow([[1], [2], []], [[([], [])]] * 3, 0)
    with pytest.raises(ValueError, match="not a tree"):
        rename(flow, [-1, 2, 1], [])
