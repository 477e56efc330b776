// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// An account that lets every operation through, and takes signatures of 97 bytes for its own (ERC-1271).
contract LongSigner {
    function isValidSignature(bytes32, bytes calldata signature) external pure returns (bytes4) {
        return signature.length == 97 ? this.isValidSignature.selector : bytes4(0);
    }

    fallback() external {
        assembly ("memory-safe") {
            mstore(0, 0)
            return(0, 0x20)
        }
    }
}
