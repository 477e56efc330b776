// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/**
 * A validator that takes every signature. The signature is one word that names the work to do: how many slots to set and clear
 * (low 16 bits), for which the chain returns gas to the bundler, and how many thousand gas to burn (the 16 bits above).
 * As a hook of the account's calls it sets and clears a number of slots. Where it is made with a bundler it does so only in that
 * one's bundles, until the gas limit of the call is nearly used.
 */
contract GreedyModule {
    bytes4 private constant IS_MODULE_TYPE = 0xecd05961;
    bytes4 private constant IS_INITIALIZED = 0xd60b347f;
    bytes4 private constant PRE_CHECK = 0xd68f6025;
    bytes4 private constant POST_CHECK = 0x173bf7da;
    address private immutable bundler;
    /// Slots that the hook sets and clears.
    uint256 private immutable slotsOfHook;
    /// The gas with which it sets and clears one more slot, and returns.
    uint256 private immutable gasLeft;

    constructor(address bundler_, uint256 slotsOfHook_, uint256 gasLeft_) {
        (bundler, slotsOfHook, gasLeft) = (bundler_, slotsOfHook_, gasLeft_);
    }

    /// No call that installs the module is as long as an operation.
    uint256 private constant SHORTEST_OPERATION = 356;

    fallback() external payable {
        if (msg.sig == PRE_CHECK) {
            if (bundler == address(0)) _setAndClear(slotsOfHook);
            assembly {
                mstore(0, 32)
                mstore(32, 0)
                return(0, 64)
            }
        }
        if (msg.sig == POST_CHECK) {
            if (tx.origin != bundler) return;
            return _useGas(gasLeft);
        }
        if (msg.sig == IS_MODULE_TYPE || msg.sig == IS_INITIALIZED) _answer(1);
        if (msg.data.length < SHORTEST_OPERATION) _answer(uint160(address(this)));
        uint256 word;
        assembly {
            word := calldataload(sub(calldatasize(), 32))
        }
        _setAndClear(word & 0xffff);
        _burn(((word >> 16) & 0xffff) * 1000);
        _answer(0);
    }

    /// Slots that are warm cost the least.
    function _useGas(uint256 left) private {
        if (gasleft() < left) return;
        assembly {
            for { let slot := 1 } gt(gas(), left) { slot := xor(slot, 3) } {
                sstore(slot, 1)
                sstore(xor(slot, 3), 0)
            }
            sstore(1, 0)
            sstore(2, 0)
        }
    }

    function _answer(uint256 value) private pure {
        assembly {
            mstore(0, value)
            return(0, 32)
        }
    }

    function _setAndClear(uint256 count) private {
        // Two loops: the compiler leaves out a write that another one follows at once.
        assembly {
            for { let slot := 1 } lt(slot, add(count, 1)) { slot := add(slot, 1) } { sstore(slot, 1) }
            for { let slot := 1 } lt(slot, add(count, 1)) { slot := add(slot, 1) } { sstore(slot, 0) }
        }
    }

    function _burn(uint256 amount) private view {
        uint256 start = gasleft();
        while (start - gasleft() < amount) {}
    }
}
