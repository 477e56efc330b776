// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {EntryPoint, FuzzLab, PackedUserOperation, Paymaster} from "./FuzzLab.sol";

/// A token that its tests can spoil.
contract Token {
    enum Manner {
        Good,
        AnswersNothing,
        AnswersFalse,
        Reverts,
        BurnsGas,
        ComesBack
    }

    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    Manner public manner;

    function setManner(Manner manner_) external {
        manner = manner_;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    function approve(address spender, uint256 amount) external {
        allowance[msg.sender][spender] = amount;
    }

    function permit(address owner, address spender, uint256 value, uint256, uint8, bytes32, bytes32) external {
        _permit(owner, spender, value);
    }

    function permit(address owner, address spender, uint256 value, uint256, bytes calldata) external {
        _permit(owner, spender, value);
    }

    /// Every signature is right. One who lies takes it and does nothing.
    function _permit(address owner, address spender, uint256 value) private {
        if (manner == Manner.Reverts) revert();
        if (manner == Manner.AnswersFalse) return;
        if (manner == Manner.BurnsGas) while (gasleft() > 100) {}
        if (manner == Manner.ComesBack) _comeBack();
        allowance[owner][spender] = value;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        if (manner == Manner.Reverts) revert();
        if (manner == Manner.AnswersFalse) return false;
        if (manner == Manner.BurnsGas) while (gasleft() > 100) {}
        if (manner == Manner.ComesBack) _comeBack();
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        if (manner == Manner.AnswersNothing) {
            assembly {
                return(0, 0)
            }
        }
        return true;
    }

    /// Tries everything that the token could gain by.
    function _comeBack() private {
        Paymaster paymaster = Paymaster(msg.sender);
        try paymaster.withdrawTo(payable(address(this)), 1) {} catch {}
        try paymaster.postOp(0, "", 1, 1) {} catch {}
        try paymaster.addSigner(address(this)) {} catch {}
        try paymaster.acceptOwnership() {} catch {}
    }
}

/// An account that lets every operation through and does in its call what the call data says.
contract Account {
    enum Doing {
        Nothing,
        Reverts,
        BurnsGas,
        RevokesApproval,
        ChangesToken
    }

    Token private immutable token;

    constructor(Token token_) {
        token = token_;
    }

    function validateUserOp(PackedUserOperation calldata, bytes32, uint256) external pure returns (uint256) {
        return 0;
    }

    function allow(address spender) external {
        token.approve(spender, type(uint256).max);
    }

    function act(Doing doing, address paymaster, Token.Manner manner) external {
        if (doing == Doing.Reverts) revert();
        if (doing == Doing.BurnsGas) while (gasleft() > 100) {}
        if (doing == Doing.RevokesApproval) token.approve(paymaster, 0);
        if (doing == Doing.ChangesToken) token.setManner(manner);
    }
}

/// What can happen to a paymaster: operations with any gas limits and prices, deposits, withdrawals, and attempts of others.
contract Life is FuzzLab {
    EntryPoint public immutable entryPoint;
    Paymaster public immutable paymaster;
    Token public immutable token = new Token();
    address public constant TREASURY = address(0x7e45);
    address public constant BUNDLER = address(0xb0b0);
    address public constant STRANGER = address(0x5a5a);
    Account private immutable account;

    /// Wei that came into the deposit and that its owner took, and the most that the signed operations may have cost.
    uint256 public deposited;
    uint256 public withdrawn;
    uint256 public signedAway;
    uint256 public landed;

    constructor(bool newest) {
        entryPoint = newest ? entryPoint09 : entryPoint08;
        paymaster = _newPaymaster(entryPoint);
        account = new Account(token);
        vm.deal(address(this), type(uint96).max);
        deposit(10 ether);
    }

    /// What an operation is made of, beyond what the handler fills in.
    struct Wish {
        uint8 kind;
        uint8 doing;
        uint8 before;
        uint8 meanwhile;
        bool approved;
        uint16 callGas;
        uint16 postOpGas;
        uint16 validationGas;
        uint40 feePerGas;
        uint64 rate;
        uint8 advancePart;
        uint256 balance;
        uint256 permitted;
        bytes permitSignature;
    }

    function operate(Wish memory wish) public {
        PackedUserOperation memory op = _operation(wish);
        uint256 gas = 200_000 + uint256(wish.callGas) + wish.postOpGas + 30_000 + wish.validationGas + 60_000;
        uint256 prefund = gas * wish.feePerGas;
        (bytes memory limitsAndTerms, uint256 mostTokens) = _terms(wish, prefund);
        op.paymasterAndData = _sign(paymaster, op, limitsAndTerms, wish.kind & 4 != 0);
        _prepareTokens(wish);

        uint256 before = entryPoint.balanceOf(address(paymaster));
        uint256 tokensBefore = token.balanceOf(address(account));
        if (!_land(op)) {
            assert(entryPoint.balanceOf(address(paymaster)) == before);
            assert(token.balanceOf(address(account)) == tokensBefore);
            return;
        }
        landed++;
        signedAway += prefund;
        assert(before - entryPoint.balanceOf(address(paymaster)) <= prefund);
        assert(tokensBefore - token.balanceOf(address(account)) <= mostTokens);
    }

    function deposit(uint64 wei_) public {
        entryPoint.depositTo{value: wei_}(address(paymaster));
        deposited += wei_;
    }

    function withdraw(uint64 wei_) external {
        vm.prank(OWNER);
        try paymaster.withdrawTo(payable(TREASURY), wei_) {
            withdrawn += wei_;
        } catch {}
    }

    function stake(uint32 delay) external {
        vm.deal(OWNER, 1 ether);
        vm.prank(OWNER);
        try paymaster.addStake{value: 1 gwei}(delay) {} catch {}
    }

    /// Everything that changes the contract, by one who is not its owner; each has to fail.
    function trespass(uint8 which, address to, uint256 amount) external {
        address[] memory list = new address[](1);
        list[0] = to;
        bytes[10] memory calls = [
            abi.encodeCall(Paymaster.addSigner, (to)),
            abi.encodeCall(Paymaster.removeSigner, (vm.addr(SIGNER_KEY))),
            abi.encodeCall(Paymaster.updateBundlerAllowlist, (list, true)),
            abi.encodeCall(Paymaster.transferOwnership, (to)),
            abi.encodeCall(Paymaster.acceptOwnership, ()),
            abi.encodeCall(Paymaster.withdrawTo, (payable(to), amount)),
            abi.encodeCall(Paymaster.addStake, (1)),
            abi.encodeCall(Paymaster.unlockStake, ()),
            abi.encodeCall(Paymaster.withdrawStake, (payable(to))),
            abi.encodeCall(Paymaster.postOp, (0, abi.encode(amount, to, token, TREASURY, amount, 0, 0), amount, 1))
        ];
        vm.prank(STRANGER);
        (bool success,) = address(paymaster).call(calls[which % 10]);
        assert(!success);
    }

    /// An operation that was signed, changed in one byte, does not land.
    function tamper(Wish memory wish, uint16 at) external {
        PackedUserOperation memory op = _operation(wish);
        (bytes memory limitsAndTerms,) = _terms(wish, 0);
        op.paymasterAndData = _sign(paymaster, op, limitsAndTerms, wish.kind & 4 != 0);
        bytes memory data = op.paymasterAndData;
        data[20 + at % (data.length - 20)] ^= 0x01;
        _prepareTokens(wish);
        assert(!_land(op));
    }

    function _operation(Wish memory wish) private returns (PackedUserOperation memory op) {
        wish.kind &= wish.kind & 1 == 0 ? 4 : 13;
        op.sender = address(account);
        op.nonce = entryPoint.getNonce(address(account), 0);
        op.callData = abi.encodeCall(
            Account.act, (Account.Doing(wish.doing % 5), address(paymaster), Token.Manner(wish.meanwhile % 6))
        );
        op.accountGasLimits = bytes32(uint256(200_000) << 128 | (uint256(wish.callGas) + 30_000));
        op.preVerificationGas = 60_000;
        op.gasFees = bytes32(uint256(wish.feePerGas) << 128 | wish.feePerGas);
    }

    /// The EntryPoint's two limits and the terms, and the most tokens that they may cost.
    function _terms(Wish memory wish, uint256 prefund) private view returns (bytes memory terms, uint256 mostTokens) {
        uint128 postOpGas = wish.kind & 1 == 0 ? 0 : wish.postOpGas;
        terms = abi.encodePacked(uint128(wish.validationGas), postOpGas, wish.kind, uint48(2 ** 40), uint48(0));
        if (wish.kind & 1 == 0) return (terms, 0);
        uint256 advance = prefund * wish.rate / 1e18 * wish.advancePart / 255;
        if (advance > type(uint128).max) advance = 0;
        terms = abi.encodePacked(
            terms, address(token), uint128(wish.rate), TREASURY, uint128(advance), uint32(45_000)
        );
        if (wish.kind & 8 != 0) {
            bytes memory signature = wish.permitSignature;
            terms = abi.encodePacked(terms, wish.permitted, uint256(2 ** 40), uint16(signature.length), signature);
        }
        uint256 most = (prefund + 45_000 * uint256(wish.feePerGas)) * wish.rate;
        return (terms, (most + 1e18 - 1) / 1e18);
    }

    function _prepareTokens(Wish memory wish) private {
        token.setManner(Token.Manner(wish.before % 6));
        token.mint(address(account), wish.balance % 1e30);
        if (wish.approved) account.allow(address(paymaster));
        vm.prank(TREASURY);
        token.approve(address(paymaster), type(uint256).max);
    }

    function _land(PackedUserOperation memory op) private returns (bool) {
        PackedUserOperation[] memory ops = new PackedUserOperation[](1);
        ops[0] = op;
        vm.prank(BUNDLER, BUNDLER);
        try entryPoint.handleOps{gas: 3_000_000}(ops, payable(BUNDLER)) {
            return true;
        } catch {
            return false;
        }
    }
}

/// What holds whatever happens.
abstract contract DepositTest is FuzzLab {
    Life internal life;

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(life);
    }

    /// The deposit falls by no more than was signed, nothing stays in the contract, and it belongs to whom it belonged.
    function invariant_onlyWhatWasSignedIsTaken() external {
        Paymaster paymaster = life.paymaster();
        uint256 deposit = life.entryPoint().balanceOf(address(paymaster));
        assert(deposit <= life.deposited() - life.withdrawn());
        assert(deposit + life.signedAway() + life.withdrawn() >= life.deposited());
        assert(address(paymaster).balance == 0 && life.token().balanceOf(address(paymaster)) == 0);
        assert(paymaster.owner() == OWNER && paymaster.pendingOwner() == address(0));
        assert(paymaster.signers(vm.addr(SIGNER_KEY)) && !paymaster.signers(life.STRANGER()));
        assert(!paymaster.signers(address(0)) && !paymaster.isBundlerAllowed(life.BUNDLER()));
    }
}

contract Deposit08Test is DepositTest {
    function setUp() external {
        life = new Life(false);
    }
}

contract Deposit09Test is DepositTest {
    function setUp() external {
        life = new Life(true);
    }

    /// So that the invariants are not about operations that never land.
    function test_operationsLandInBothModes() external {
        Life.Wish memory wish;
        (wish.approved, wish.callGas, wish.postOpGas, wish.validationGas) = (true, 60_000, 60_000, 60_000);
        (wish.feePerGas, wish.rate, wish.balance) = (1 gwei, 1e18, 1e29);
        for (uint8 kind = 0; kind < 6; kind++) {
            wish.kind = kind;
            life.operate(wish);
        }
        assert(life.landed() == 6);
        // A permit alone pays, in either form; before them no allowance is left.
        (wish.approved, wish.kind, wish.permitted, wish.validationGas, wish.callGas) = (false, 9, 1e30, 65_000, 65_000);
        wish.doing = 3;
        life.operate(wish);
        (wish.doing, wish.advancePart) = (0, 255);
        for (uint256 length = 64; length < 66; length++) {
            wish.permitSignature = new bytes(length);
            uint256 paid = life.token().balanceOf(life.TREASURY());
            life.operate(wish);
            assert(life.token().balanceOf(life.TREASURY()) > paid);
        }
        assert(life.landed() == 9);
        assert(life.token().balanceOf(life.TREASURY()) > 0);
    }
}
