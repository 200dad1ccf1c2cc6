"""Ctrl-C that falls where Python cannot raise it: in a callback from C."""

import ctypes
import signal
import time

import pytest

from detent.app import cli, without_lost_interrupts
from detent.app.commands import check

_PATIENCE = 10.0  # [s] an interrupt that is raised again comes within a tenth of one


@pytest.fixture(autouse=True)
def _interruptible():
    """Also where the tests were started in the background of a shell, which turns Ctrl-C off."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def _lose_one():
    """An interrupt inside a callback: ctypes cannot pass it on."""
    ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))()


def _lose_one_and_fail(_args):
    _lose_one()
    raise RuntimeError("no compiled object yet")


def _lose_one_and_work_on():
    _lose_one()
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        time.sleep(0.01)


def test_an_interrupt_lost_in_a_callback_is_raised_again():
    with pytest.raises(KeyboardInterrupt), without_lost_interrupts():
        _lose_one_and_work_on()


def test_what_fails_because_of_a_lost_interrupt_is_an_interruption(monkeypatch, capsys):
    monkeypatch.setattr(check, "run", _lose_one_and_fail)
    assert cli.main(["check", "four_bar"]) == cli.INTERRUPTED
    assert capsys.readouterr().err == "detent: interrupted\n"


def _dispatched():
    """What numba's dispatcher makes of an interrupt while it loads a kernel."""
    try:
        raise KeyboardInterrupt
    except KeyboardInterrupt as stop:
        raise SystemError("returned a result with an exception set") from stop


def test_an_interrupt_that_comes_out_of_a_dispatcher_as_an_error_is_an_interruption():
    with pytest.raises(KeyboardInterrupt), without_lost_interrupts():
        _dispatched()


def test_a_failure_without_an_interrupt_stays_a_failure():
    with pytest.raises(RuntimeError), without_lost_interrupts():
        raise RuntimeError("a defect")


def test_a_lost_interrupt_does_not_outlive_its_command():
    with without_lost_interrupts():
        _lose_one()
    time.sleep(0.3)
