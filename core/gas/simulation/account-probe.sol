// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import "./moment.sol";

interface Beacon {
    function implementation() external view returns (address);
}

/**
 * Stands in an account's place inside one `eth_call`: reads the account's slots, and makes its calls without its code and its modules.
 * Never deployed: a state override puts the code there. Storage and balance are the account's own.
 */
contract AccountProbe {
    uint256 private constant BEACON_GAS = 100_000;
    /** Gas kept for what comes after an attempt. */
    uint256 private constant RESERVE = 150_000;
    bytes4 private constant SUPPORTS_INTERFACE = 0x01ffc9a7;

    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    receive() external payable {}

    /**
     * Answers contracts that call back as accounts do. Receivers of tokens and ERC-1271 say yes by their own selector.
     */
    fallback() external payable {
        bytes32 answer = msg.sig == SUPPORTS_INTERFACE ? bytes32(uint256(1)) : bytes32(msg.sig);
        assembly {
            mstore(0, answer)
            return(0, 32)
        }
    }

    /**
     * The words in `slots`, what the beacon in `beaconSlot` names (zero without one), and when that was. Whether the calls go through
     * with at most `ceiling` gas, and a gas limit with which they do; what they burn until they fail otherwise.
     */
    function probe(bytes32[] calldata slots, bytes32 beaconSlot, Call[] calldata calls, uint256 ceiling)
        external
        returns (bytes32[] memory words, address beaconImplementation, bytes32 moment, bool made, uint256 callGas)
    {
        words = new bytes32[](slots.length);
        for (uint256 i = 0; i < slots.length; i++) {
            words[i] = _load(slots[i]);
        }
        address beacon = address(uint160(uint256(_load(beaconSlot))));
        if (beacon.code.length > 0) {
            (bool success, bytes memory answer) =
                beacon.staticcall{gas: BEACON_GAS}(abi.encodeCall(Beacon.implementation, ()));
            if (success && answer.length == 32) beaconImplementation = address(uint160(uint256(bytes32(answer))));
        }
        moment = Moment.current();
        if (calls.length > 0) (made, callGas) = _measure(calls, ceiling);
    }

    /**
     * A limit that suffices, found from what is used: a call keeps 1/64 of its gas back at every depth (EIP-150). Each attempt begins in
     * the same state.
     */
    function _measure(Call[] calldata calls, uint256 ceiling) private returns (bool made, uint256 limit) {
        uint256 used;
        (made, used) = _attempt(calls, ceiling);
        if (!made) return (false, used);
        for (uint256 room = used / 64 + 500;; room *= 2) {
            limit = used + room;
            if (limit >= ceiling || !_canAfford(limit)) return (true, limit);
            (bool suffices,) = _attempt(calls, limit);
            if (suffices) return (true, limit);
        }
    }

    function _attempt(Call[] calldata calls, uint256 limit) private returns (bool made, uint256 used) {
        if (!_canAfford(limit)) return (false, 0);
        try this.attempt(calls, limit) {}
        catch (bytes memory outcome) {
            if (outcome.length == 64) (made, used) = abi.decode(outcome, (bool, uint256));
        }
    }

    /** Reverts with what came of the calls, so that nothing is left of them. */
    function attempt(Call[] calldata calls, uint256 limit) external {
        if (msg.sender != address(this)) return;
        bytes memory data = abi.encodeCall(this.makeCalls, (calls));
        uint256 start = gasleft();
        (bool made,) = address(this).call{gas: limit}(data);
        bytes memory outcome = abi.encode(made, start - gasleft());
        assembly {
            revert(add(outcome, 32), mload(outcome))
        }
    }

    function makeCalls(Call[] calldata calls) external {
        if (msg.sender != address(this)) return;
        for (uint256 i = 0; i < calls.length; i++) {
            bytes memory data = calls[i].data;
            (address target, uint256 value) = (calls[i].target, calls[i].value);
            bool success;
            assembly ("memory-safe") {
                success := call(gas(), target, value, add(data, 32), mload(data), 0, 0)
            }
            if (!success) revert();
        }
    }

    /** Whether an attempt gets all of the limit: 1/64 is kept back twice. */
    function _canAfford(uint256 limit) private view returns (bool) {
        return gasleft() > limit + limit / 30 + RESERVE;
    }

    function _load(bytes32 slot) private view returns (bytes32 word) {
        assembly {
            word := sload(slot)
        }
    }
}
