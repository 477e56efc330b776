// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/**
 * Takes every signature and does not make the calls in its call data: it writes slots of its own, and clears them the next time,
 * for which the chain returns gas to the bundler that the EntryPoint has counted as used.
 */
contract HoardingAccount {
    bytes4 private constant VALIDATE_06 = 0x3a871cdd;
    bytes4 private constant VALIDATE_07 = 0x19822f7c;
    uint256 private constant SLOTS = 30;

    fallback() external payable {
        if (msg.sig != VALIDATE_06 && msg.sig != VALIDATE_07) {
            assembly {
                let value := iszero(sload(1))
                for { let slot := 1 } lt(slot, add(SLOTS, 1)) { slot := add(slot, 1) } { sstore(slot, value) }
            }
        }
        assembly {
            mstore(0, 0)
            return(0, 32)
        }
    }
}
