// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/**
 * Accepts every signature and takes no notice of its call data: whatever it is told to do, it writes as many fresh slots of
 * its own as it was made with. It can keep the address of a decent account in the slot of EIP-1967, which it never reads.
 */
contract LyingAccount {
    bytes4 private constant VALIDATE_06 = 0x3a871cdd;
    bytes4 private constant VALIDATE_07 = 0x19822f7c;
    bytes32 private constant IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;

    uint256 private immutable writes;

    constructor(uint256 writes_, address decent) {
        writes = writes_;
        assembly {
            sstore(IMPLEMENTATION, decent)
        }
    }

    fallback() external payable {
        if (msg.sig != VALIDATE_06 && msg.sig != VALIDATE_07) _write();
        assembly {
            mstore(0, 0)
            return(0, 32)
        }
    }

    function _write() private {
        uint256 count = writes;
        assembly {
            let from := add(sload(0), 1)
            for { let i := 0 } lt(i, count) { i := add(i, 1) } { sstore(add(from, i), 1) }
            sstore(0, add(from, count))
        }
    }
}

/** Makes lying accounts, and writes of its own each time. */
contract WritingFactory {
    uint256 private last;

    function createAccount(uint256 writes, uint256 salt) external returns (LyingAccount) {
        uint256 from = last + 1;
        for (uint256 i = 0; i < 190; i++) {
            assembly {
                sstore(add(from, i), 1)
            }
        }
        last = from + 190;
        return new LyingAccount{salt: bytes32(salt)}(writes, address(0));
    }
}
