// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

struct UserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    uint256 callGasLimit;
    uint256 verificationGasLimit;
    uint256 preVerificationGas;
    uint256 maxFeePerGas;
    uint256 maxPriorityFeePerGas;
    bytes paymasterAndData;
    bytes signature;
}

struct Call {
    address target;
    uint256 value;
    bytes data;
}

struct SignatureWrapper {
    uint256 ownerIndex;
    bytes signatureData;
}

/**
 * Stands in for Coinbase Smart Wallet, whose code no package has: the methods that operations call, and owners that are
 * addresses.
 */
contract CoinbaseStandIn {
    bytes[] private owners;

    function initialize(bytes[] calldata first) external {
        require(owners.length == 0);
        for (uint256 i = 0; i < first.length; i++) owners.push(first[i]);
    }

    function validateUserOp(UserOperation calldata operation, bytes32 hash, uint256 missing)
        external
        payable
        returns (uint256)
    {
        SignatureWrapper memory wrapper = abi.decode(operation.signature, (SignatureWrapper));
        address owner = abi.decode(owners[wrapper.ownerIndex], (address));
        bool isOwners = _signer(hash, wrapper.signatureData) == owner;
        if (missing > 0) {
            (bool sent,) = msg.sender.call{value: missing}("");
            sent;
        }
        return isOwners ? 0 : 1;
    }

    function execute(address target, uint256 value, bytes calldata data) external payable {
        _call(target, value, data);
    }

    function executeBatch(Call[] calldata calls) external payable {
        for (uint256 i = 0; i < calls.length; i++) _call(calls[i].target, calls[i].value, calls[i].data);
    }

    function _call(address target, uint256 value, bytes calldata data) private {
        (bool success, bytes memory result) = target.call{value: value}(data);
        if (!success) {
            assembly {
                revert(add(result, 32), mload(result))
            }
        }
    }

    function _signer(bytes32 hash, bytes memory signature) private pure returns (address) {
        require(signature.length == 65);
        bytes32 r;
        bytes32 s;
        uint8 v;
        assembly {
            r := mload(add(signature, 32))
            s := mload(add(signature, 64))
            v := byte(0, mload(add(signature, 96)))
        }
        return ecrecover(hash, v, r, s);
    }
}

/** Makes minimal proxies (EIP-1167) of the account at a fixed address. */
contract CoinbaseFactoryStandIn {
    address private constant IMPLEMENTATION = 0x000100abaad02f1cfC8Bbe32bD5a564817339E72;

    function createAccount(bytes[] calldata owners, uint256 nonce) external payable returns (address account) {
        bytes memory code = _creationCode();
        bytes32 salt = _salt(owners, nonce);
        assembly {
            account := create2(0, add(code, 32), mload(code), salt)
        }
        CoinbaseStandIn(account).initialize(owners);
    }

    function getAddress(bytes[] calldata owners, uint256 nonce) external view returns (address) {
        bytes32 hash = keccak256(
            abi.encodePacked(bytes1(0xff), address(this), _salt(owners, nonce), keccak256(_creationCode()))
        );
        return address(uint160(uint256(hash)));
    }

    function _salt(bytes[] calldata owners, uint256 nonce) private pure returns (bytes32) {
        return keccak256(abi.encode(owners, nonce));
    }

    function _creationCode() private pure returns (bytes memory) {
        return abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", IMPLEMENTATION, hex"5af43d82803e903d91602b57fd5bf3"
        );
    }
}
