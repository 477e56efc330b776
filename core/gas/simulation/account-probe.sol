// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import "./moment.sol";

interface Beacon {
    function implementation() external view returns (address);
}

/**
 * Stands in an account's place inside one `eth_call`, and reads the account's slots.
 * Never deployed: a state override puts the code there. The storage is the account's own.
 */
contract AccountProbe {
    uint256 private constant BEACON_GAS = 100_000;

    /**
     * The words in `slots`, what the beacon in `beaconSlot` names (zero without one), and when that was.
     */
    function probe(bytes32[] calldata slots, bytes32 beaconSlot)
        external
        view
        returns (bytes32[] memory words, address beaconImplementation, bytes32 moment)
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
    }

    function _load(bytes32 slot) private view returns (bytes32 word) {
        assembly {
            word := sload(slot)
        }
    }
}
