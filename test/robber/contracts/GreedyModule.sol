// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface Nexus {
    function executeFromExecutor(bytes32 mode, bytes calldata execution) external;
    function getActiveHook() external view returns (address);
    function installModule(uint256 moduleType, address module, bytes calldata data) external;
    function uninstallModule(uint256 moduleType, address module, bytes calldata data) external;
}

/**
 * A validator that takes every signature. The signature is one word that names the work to do: how many slots to set and clear
 * (low 16 bits), for which the chain returns gas to the bundler, and how many thousand gas to burn (the 16 bits above).
 * As a hook of the account's calls it sets and clears a fixed number of slots. Where it is made with a bundler it does so only in that
 * one's bundles, until the gas limit of the call is nearly used. With `installs` it becomes the hook while it validates, and none again
 * in the call where the gas suffices.
 */
contract GreedyModule {
    bytes4 private constant IS_MODULE_TYPE = 0xecd05961;
    bytes4 private constant IS_INITIALIZED = 0xd60b347f;
    bytes4 private constant PRE_CHECK = 0xd68f6025;
    bytes4 private constant POST_CHECK = 0x173bf7da;
    uint256 private constant SLOTS_OF_HOOK = 40;
    uint256 private constant HOOK_TYPE = 4;
    /// Sets and clears one slot, and returns.
    uint256 private constant LEFT = 25_500;
    uint256 private constant LEFT_TO_UNINSTALL = 55_000;
    uint256 private constant GAS_OF_UNINSTALLING = 30_000;

    address private immutable bundler;
    bool private immutable installs;

    constructor(address bundler_, bool installs_) {
        (bundler, installs) = (bundler_, installs_);
    }

    /// No call that installs the module is as long as an operation.
    uint256 private constant SHORTEST_OPERATION = 356;

    fallback() external payable {
        if (msg.sig == PRE_CHECK) {
            if (bundler == address(0)) _setAndClear(SLOTS_OF_HOOK);
            assembly {
                mstore(0, 32)
                mstore(32, 0)
                return(0, 64)
            }
        }
        if (msg.sig == POST_CHECK) {
            if (tx.origin != bundler) return;
            if (!installs) return _useGas(LEFT);
            if (Nexus(msg.sender).getActiveHook() != address(this)) return;
            _useGas(LEFT_TO_UNINSTALL);
            // Without gas for it the hook stays, for the next operation.
            if (gasleft() < GAS_OF_UNINSTALLING) return;
            return _haveAccountCall(abi.encodeCall(Nexus.uninstallModule, (HOOK_TYPE, address(this), "")));
        }
        if (msg.sig == IS_MODULE_TYPE || msg.sig == IS_INITIALIZED) _answer(1);
        if (msg.data.length < SHORTEST_OPERATION) _answer(uint160(address(this)));
        uint256 word;
        assembly {
            word := calldataload(sub(calldatasize(), 32))
        }
        if (installs && tx.origin == bundler && Nexus(msg.sender).getActiveHook() != address(this)) {
            _haveAccountCall(abi.encodeCall(Nexus.installModule, (HOOK_TYPE, address(this), "")));
        }
        _setAndClear(word & 0xffff);
        _burn(((word >> 16) & 0xffff) * 1000);
        _answer(0);
    }

    /// As an executor of the account.
    function _haveAccountCall(bytes memory data) private {
        Nexus(msg.sender).executeFromExecutor(0, abi.encodePacked(msg.sender, uint256(0), data));
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
