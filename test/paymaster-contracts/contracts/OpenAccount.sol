// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// An account that lets every operation through and does nothing in its calls.
contract OpenAccount {
    fallback() external payable {
        assembly ("memory-safe") {
            mstore(0, 0)
            return(0, 0x20)
        }
    }
}
