// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// What forge lets a test do.
interface Vm {
    function addr(uint256 key) external returns (address);
    function sign(uint256 key, bytes32 digest) external returns (uint8 v, bytes32 r, bytes32 s);
    function chainId(uint256 id) external;
    function deal(address account, uint256 wei_) external;
    function etch(address account, bytes calldata code) external;
    function prank(address caller) external;
    function prank(address caller, address origin) external;
    function readFileBinary(string calldata path) external returns (bytes memory);
}

struct PackedUserOperation {
    address sender;
    uint256 nonce;
    bytes initCode;
    bytes callData;
    bytes32 accountGasLimits;
    uint256 preVerificationGas;
    bytes32 gasFees;
    bytes paymasterAndData;
    bytes signature;
}

interface EntryPoint {
    function getUserOpHash(PackedUserOperation calldata op) external view returns (bytes32);
    function getNonce(address sender, uint192 key) external view returns (uint256);
    function handleOps(PackedUserOperation[] calldata ops, address payable beneficiary) external;
    function depositTo(address account) external payable;
    function balanceOf(address account) external view returns (uint256);
    function getDepositInfo(address account) external view returns (uint256, bool staked, uint112 stake, uint32, uint48);
}

interface Paymaster {
    function validatePaymasterUserOp(PackedUserOperation calldata op, bytes32 userOpHash, uint256 maxCost)
        external
        returns (bytes memory context, uint256 validationData);
    function postOp(uint8 mode, bytes calldata context, uint256 cost, uint256 feePerGas) external;
    function getHash(PackedUserOperation calldata op) external view returns (bytes32);
    function signers(address signer) external view returns (bool);
    function isBundlerAllowed(address bundler) external view returns (bool);
    function owner() external view returns (address);
    function pendingOwner() external view returns (address);
    function addSigner(address signer) external;
    function removeSigner(address signer) external;
    function updateBundlerAllowlist(address[] calldata bundlers, bool allowed) external;
    function transferOwnership(address to) external;
    function acceptOwnership() external;
    function withdrawTo(address payable receiver, uint256 amount) external;
    function addStake(uint32 delay) external payable;
    function unlockStake() external;
    function withdrawStake(address payable receiver) external;
}

/// The published EntryPoints and the compiled paymaster, as the program deploys it.
abstract contract FuzzLab {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    uint256 internal constant SIGNER_KEY = 0x7e57;
    address internal constant OWNER = address(0x0123);

    EntryPoint internal entryPoint08 = EntryPoint(_create(vm.readFileBinary("code/EntryPoint08")));
    EntryPoint internal entryPoint09 = EntryPoint(_create(vm.readFileBinary("code/EntryPoint09")));

    function _newPaymaster(EntryPoint entryPoint) internal returns (Paymaster) {
        address[] memory signers = new address[](1);
        signers[0] = vm.addr(SIGNER_KEY);
        return Paymaster(
            _create(bytes.concat(vm.readFileBinary("code/TollfreePaymaster"), abi.encode(entryPoint, OWNER, signers)))
        );
    }

    /// The data without the EntryPoint's part, signed by the paymaster's signer over what `getHash` says.
    function _sign(Paymaster paymaster, PackedUserOperation memory op, bytes memory limitsAndTerms, bool trails)
        internal
        returns (bytes memory)
    {
        op.paymasterAndData = _data(paymaster, limitsAndTerms, new bytes(65), trails);
        bytes32 message = keccak256(abi.encodePacked("\x19Ethereum Signed Message:\n32", paymaster.getHash(op)));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(SIGNER_KEY, message);
        return _data(paymaster, limitsAndTerms, abi.encodePacked(r, s, v), trails);
    }

    function _data(Paymaster paymaster, bytes memory limitsAndTerms, bytes memory signature, bool trails)
        internal
        pure
        returns (bytes memory)
    {
        bytes memory trailer = trails ? bytes(hex"004122e325a297439656") : bytes("");
        return bytes.concat(bytes20(address(paymaster)), limitsAndTerms, signature, trailer);
    }

    function _create(bytes memory code) internal returns (address made) {
        assembly {
            made := create(0, add(code, 0x20), mload(code))
        }
        require(made != address(0), "not created");
    }
}
