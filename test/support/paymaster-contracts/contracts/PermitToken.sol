// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20, ERC20Permit} from "@openzeppelin/contracts-4/token/ERC20/extensions/ERC20Permit.sol";
import {SignatureChecker} from "@openzeppelin/contracts-4/utils/cryptography/SignatureChecker.sol";

/// OpenZeppelin's token with permits, which also has the form of `permit` that USDC has for accounts with code (ERC-1271).
contract PermitToken is ERC20Permit {
    bytes32 private constant PERMIT_TYPE =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    constructor() ERC20("Permit token", "PT") ERC20Permit("Permit token") {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function mint(address to, uint256 value) external {
        _mint(to, value);
    }

    function permit(address owner, address spender, uint256 value, uint256 deadline, bytes calldata signature) external {
        require(block.timestamp <= deadline, "expired");
        bytes32 hash = keccak256(abi.encode(PERMIT_TYPE, owner, spender, value, _useNonce(owner), deadline));
        require(SignatureChecker.isValidSignatureNow(owner, _hashTypedDataV4(hash), signature), "invalid signature");
        _approve(owner, spender, value);
    }
}
