"""Tables in one block of memory are the same at both speeds; a door enters the kernel it was made for."""

import numpy as np

from detent.numeric import call_by_address, kernel, packed_tables, table

HEAD = 2


def block():
    whole, parts = np.arange(6).reshape(2, 3), np.linspace(0.0, 1.0, 8).reshape(4, 2)
    return packed_tables([whole, parts], HEAD)


@kernel(sample=lambda: (block()[0], 2.0))
def scaled(memory, factor):
    floats = memory.view(np.float64)
    parts = table(floats, HEAD + 6, 4, 2)
    whole = table(memory, HEAD, 2, 3)
    memory[1] += 1
    parts[3, 1] *= factor
    return whole[1, 2] + parts[3, 1]


def test_a_door_does_in_place_what_the_plain_kernel_does():
    (plain, begins), (entered, _) = block(), block()
    assert begins == [2, 8]
    assert plain[0] == plain.size
    results = [scaled(plain, 3.0), call_by_address(scaled)(entered.ctypes.data, 3.0)]
    assert results == [8.0, 8.0]
    np.testing.assert_array_equal(plain, entered)


def test_each_kernel_has_its_own_door():
    @kernel(sample=lambda: (block()[0], 1.0))
    def second(memory, number):
        return memory[1] + number

    memory, _ = block()
    memory[1] = 40
    assert call_by_address(second)(memory.ctypes.data, 2.0) == 42.0
    assert call_by_address(scaled)(memory.ctypes.data, 1.0) == 6.0
