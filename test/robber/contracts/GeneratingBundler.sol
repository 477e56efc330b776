// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/**
 * Calls an EntryPoint with bytes that it makes in memory. Its call data is the EntryPoint's address (20 bytes) and pieces: a kind (1 byte), a
 * length (3 bytes), and for kind 0 the bytes themselves, for kind 1 nothing (zeros), for kind 2 the byte that is repeated.
 */
contract GeneratingBundler {
    fallback() external {
        assembly {
            let end := 0
            for { let at := 20 } lt(at, calldatasize()) {} {
                let head := calldataload(at)
                let length := and(shr(224, head), 0xffffff)
                at := add(at, 4)
                switch byte(0, head)
                case 0 {
                    calldatacopy(end, at, length)
                    at := add(at, length)
                }
                case 1 { calldatacopy(end, calldatasize(), length) }
                default {
                    mstore(end, mul(byte(4, head), div(not(0), 0xff)))
                    at := add(at, 1)
                    // Each copy doubles what there is, by the precompile that returns its input.
                    for { let done := 32 } lt(done, length) { done := mul(done, 2) } {
                        let part := sub(length, done)
                        if gt(part, done) { part := done }
                        pop(staticcall(gas(), 4, end, part, add(end, done), part))
                    }
                }
                end := add(end, length)
            }
            if iszero(call(gas(), shr(96, calldataload(0)), 0, 0, end, 0, 0)) {
                returndatacopy(0, 0, returndatasize())
                revert(0, returndatasize())
            }
        }
    }
}
