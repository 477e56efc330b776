// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import "./moment.sol";

/**
 * Measures what gas limits a user operation needs, inside one `eth_call`. Never deployed: a state override puts the
 * code where it is needed, either in place of the EntryPoint (`probe`) or beside it (`findVerificationGas`, `capture`).
 *
 * A limit is searched for, not read off the gas used: by EIP-150 a call keeps 1/64 of the gas back at every depth, and
 * contracts may read `gasleft()`, so an operation can need a higher limit than what it burns. Each attempt runs in a
 * frame that reverts, so that all of them start from the same storage and the same warm slots.
 */
contract CallGasProbe {
    /** The EntryPoint's own code, put there by the same state override, for accounts that call back into it. */
    address private constant ENTRY_POINT_CODE = 0x7011F7Ee00000000000000000000000000000001;

    bytes4 private constant VALIDATE_RESULT_06 = 0xe0cff05f; // ValidationResult: how EntryPoint 0.6 reports success
    bytes4 private constant AGGREGATED_RESULT_06 = 0xfaecb4e4; // ValidationResultWithAggregation

    bytes4 private constant POST_OP_06 = 0xa9a23409; // postOp(uint8,bytes,uint256); later versions add the fee per gas

    bytes4 private constant BALANCE_OF = 0x70a08231; // balanceOf(address)
    bytes4 private constant ALLOWANCE = 0xdd62ed3e; // allowance(address,address)
    uint256 private constant READ_GAS = 300_000;

    uint256 private constant MAX_RESULT_BYTES = 2048;
    /** Gas kept for the probe itself round an attempt. */
    uint256 private constant RESERVE = 150_000;
    /** The step that failed; NONE when all went through. */
    enum Step { NONE, CREATION, ACCOUNT_VALIDATION, PAYMASTER_VALIDATION }

    struct Plan {
        address senderCreator;
        bytes creation; // call to the SenderCreator, empty when the account is deployed
        address sender;
        bytes validation; // call of validateUserOp
        address paymaster; // zero when the account pays
        bytes paymasterValidation; // call of validatePaymasterUserOp
        bytes execution; // call to the sender
        uint256 verificationCeiling;
        uint256 executionCeiling;
        uint256 postOpCeiling;
        bytes4 postOpSelector;
        uint256 feePerGas;
        uint256 rounds; // attempts per search; 0 only tries the ceilings
        uint256 postOpRounds; // the same for the limit of postOp
        uint256 chargedOverhead; // gas that postOp is told of beside what the execution used
        uint256 highestCost; // wei that postOp is told beside what was measured; 0 for none
        address token; // whose funds are read before postOp; zero for none
    }

    struct Outcome {
        Step failedStep;
        bool executed;
        uint256 executionLimit;
        uint256 executionUsed;
        bool hasPostOp;
        bool charged;
        uint256 postOpLimit;
        bytes revertData; // of the failed step or of the execution
        bytes postOpRevertData;
        uint256 tokenBalance; // of the sender, and what it has approved for the paymaster, when the tokens are taken
        uint256 tokenAllowance;
        bytes senderCode; // whose calls ran: as it was found, or as its creation left it
        bytes32 moment;
    }

    receive() external payable {
        _delegateToEntryPoint();
    }

    fallback() external payable {
        _delegateToEntryPoint();
    }

    /** Runs at the EntryPoint's address: creation, both validations, execution and postOp in the order on chain. */
    function probe(Plan calldata plan) external returns (Outcome memory outcome) {
        outcome.moment = Moment.current();
        bytes memory result;
        bool success;
        if (plan.creation.length > 0) {
            (success, result) = _call(plan.senderCreator, plan.verificationCeiling, plan.creation);
            if (!success || plan.sender.code.length == 0) return _failed(outcome, Step.CREATION, result);
        }
        outcome.senderCode = plan.sender.code;
        (success, result) = _call(plan.sender, plan.verificationCeiling, plan.validation);
        if (!success) return _failed(outcome, Step.ACCOUNT_VALIDATION, result);

        bytes memory context;
        if (plan.paymaster != address(0)) {
            (success, result) = _call(plan.paymaster, plan.verificationCeiling, plan.paymasterValidation);
            if (!success || result.length < 96) {
                _readFunds(plan, outcome);
                return _failed(outcome, Step.PAYMASTER_VALIDATION, result);
            }
            (context,) = abi.decode(result, (bytes, uint256));
        }

        bool settled = _measureExecution(plan, outcome);
        outcome.hasPostOp = context.length > 0;
        // An execution that reverts has changed nothing and is charged too.
        if ((settled || !outcome.executed) && outcome.hasPostOp) {
            _readFunds(plan, outcome);
            _measurePostOp(plan, context, outcome);
        }
    }

    /**
     * Runs beside the EntryPoint. Tries `simulation` (a call of simulateValidation) with the given verification gas
     * limits in turn until one passes, then narrows it down. The limit is written at `offset`, shifted left by `shift`.
     * `limit` is 0 when none passed; `result` is what the EntryPoint answered last.
     */
    function findVerificationGas(
        address entryPoint,
        bytes memory simulation,
        uint256 offset,
        uint256 shift,
        uint256[] memory ceilings,
        uint256 rounds
    ) external returns (uint256 limit, bytes memory result, bytes32 moment) {
        moment = Moment.current();
        uint256 low;
        for (uint256 i = 0; i < ceilings.length && limit == 0; i++) {
            bool passed;
            (passed, result) = _validate(entryPoint, simulation, offset, ceilings[i] << shift);
            if (passed) limit = ceilings[i];
            else low = ceilings[i];
        }
        while (limit > 0 && rounds > 0 && limit - low > _tolerance(limit) && _canAfford(limit * 2)) {
            uint256 middle = (low + limit) / 2;
            (bool passed, bytes memory answer) = _validate(entryPoint, simulation, offset, middle << shift);
            if (passed) (limit, result) = (middle, answer);
            else low = middle;
            rounds--;
        }
    }

    /** Calls and returns the answer whether or not it is a revert: some nodes drop revert data. */
    function capture(address target, bytes calldata data) external returns (bool success, bytes memory result) {
        return target.call(data);
    }

    /** One attempt: always reverts, with (success, gas used, return data). */
    function attempt(address target, uint256 gasLimit, bytes calldata data) external {
        (bool success, uint256 used, bytes memory result) = _measuredCall(target, gasLimit, data);
        bytes memory outcome = abi.encode(success, used, result);
        assembly ("memory-safe") {
            revert(add(outcome, 32), mload(outcome))
        }
    }

    /** Returns whether the state is now the one after a successful execution. */
    function _measureExecution(Plan calldata plan, Outcome memory outcome) private returns (bool settled) {
        if (plan.execution.length == 0) {
            outcome.executed = true;
            return true;
        }
        (outcome.executed, outcome.executionUsed, outcome.revertData) =
            _attempt(plan.sender, plan.executionCeiling, plan.execution);
        if (!outcome.executed) return false;
        outcome.executionLimit = _smallestLimit(
            plan.sender, plan.execution, outcome.executionUsed, plan.executionCeiling, plan.rounds
        );
        if (!_canAfford(outcome.executionUsed)) return false;
        (settled,) = _call(plan.sender, plan.executionCeiling, plan.execution);
    }

    function _measurePostOp(Plan calldata plan, bytes memory context, Outcome memory outcome) private {
        _chargeAt((outcome.executionUsed + plan.chargedOverhead) * plan.feePerGas, plan, context, outcome);
        if (outcome.charged && plan.highestCost > 0) _chargeAt(plan.highestCost, plan, context, outcome);
    }

    /** Tries postOp at a cost in wei: `postOpLimit` becomes what it needs, if that is more. */
    function _chargeAt(uint256 cost, Plan calldata plan, bytes memory context, Outcome memory outcome) private {
        uint8 mode = outcome.executed ? 0 : 1;
        bytes memory postOp = plan.postOpSelector == POST_OP_06
            ? abi.encodeWithSelector(POST_OP_06, mode, context, cost)
            : abi.encodeWithSelector(plan.postOpSelector, mode, context, cost, plan.feePerGas);
        uint256 used;
        (outcome.charged, used, outcome.postOpRevertData) = _attempt(plan.paymaster, plan.postOpCeiling, postOp);
        if (!outcome.charged) return;
        uint256 limit = _smallestLimit(plan.paymaster, postOp, used, plan.postOpCeiling, plan.postOpRounds);
        if (limit > outcome.postOpLimit) outcome.postOpLimit = limit;
    }

    /** What the sender owns and has approved for the paymaster, 0 where the token does not tell. */
    function _readFunds(Plan calldata plan, Outcome memory outcome) private {
        if (plan.token == address(0)) return;
        outcome.tokenBalance = _readWord(plan.token, abi.encodeWithSelector(BALANCE_OF, plan.sender));
        outcome.tokenAllowance =
            _readWord(plan.token, abi.encodeWithSelector(ALLOWANCE, plan.sender, plan.paymaster));
    }

    function _readWord(address target, bytes memory data) private returns (uint256 word) {
        (bool success,, bytes memory result) = _attempt(target, READ_GAS, data);
        if (success && result.length == 32) word = abi.decode(result, (uint256));
    }

    /**
     * The smallest limit with which the call succeeds, within the tolerance. `ceiling` is known to do. The search starts
     * just above the gas used, where the answer nearly always is, and goes up in growing steps before it halves.
     */
    function _smallestLimit(address target, bytes memory data, uint256 used, uint256 ceiling, uint256 rounds)
        private
        returns (uint256 limit)
    {
        limit = ceiling;
        uint256 low = used > 0 ? used - 1 : 0;
        uint256 step = used / 32 + 1000;
        bool found;
        while (rounds > 0 && limit - low > _tolerance(limit)) {
            uint256 candidate = found ? (low + limit) / 2 : low + step;
            if (candidate >= ceiling || !_canAfford(candidate)) break;
            (bool success,,) = _attempt(target, candidate, data);
            if (success) (limit, found) = (candidate, true);
            else (low, step) = (candidate, step * 2);
            rounds--;
        }
    }

    function _validate(address entryPoint, bytes memory simulation, uint256 offset, uint256 word)
        private
        returns (bool passed, bytes memory result)
    {
        assembly ("memory-safe") {
            mstore(add(add(simulation, 32), offset), word)
        }
        (passed,, result) = _attempt(entryPoint, gasleft(), simulation);
        if (!passed && result.length >= 4) {
            bytes4 selector = bytes4(result);
            passed = selector == VALIDATE_RESULT_06 || selector == AGGREGATED_RESULT_06;
        }
    }

    function _attempt(address target, uint256 gasLimit, bytes memory data)
        private
        returns (bool success, uint256 used, bytes memory result)
    {
        try this.attempt(target, gasLimit, data) {}
        catch (bytes memory outcome) {
            // An attempt that ran out of the probe's own gas answers nothing: that is a failure without a reason.
            if (outcome.length >= 96) (success, used, result) = abi.decode(outcome, (bool, uint256, bytes));
        }
    }

    function _call(address target, uint256 gasLimit, bytes memory data)
        private
        returns (bool success, bytes memory result)
    {
        (success,, result) = _measuredCall(target, gasLimit, data);
    }

    function _measuredCall(address target, uint256 gasLimit, bytes memory data)
        private
        returns (bool success, uint256 used, bytes memory result)
    {
        assembly ("memory-safe") {
            let start := gas()
            success := call(gasLimit, target, 0, add(data, 32), mload(data), 0, 0)
            used := sub(start, gas())
            let size := returndatasize()
            if gt(size, MAX_RESULT_BYTES) { size := MAX_RESULT_BYTES }
            result := mload(0x40)
            mstore(0x40, add(result, and(add(size, 63), not(31))))
            mstore(result, size)
            returndatacopy(add(result, 32), 0, size)
        }
    }

    function _failed(Outcome memory outcome, Step step, bytes memory result) private pure returns (Outcome memory) {
        outcome.failedStep = step;
        outcome.revertData = result;
        return outcome;
    }

    /** 0.4 %, but not less than 200 gas: more precision than the margins on top are worth. */
    function _tolerance(uint256 limit) private pure returns (uint256) {
        return limit / 256 + 200;
    }

    /** Whether an attempt with this limit still gets all of it (1/64 is kept back twice). */
    function _canAfford(uint256 limit) private view returns (bool) {
        return gasleft() > limit + limit / 30 + RESERVE;
    }

    function _delegateToEntryPoint() private {
        address code = ENTRY_POINT_CODE;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let success := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(success) { revert(0, returndatasize()) }
            return(0, returndatasize())
        }
    }
}
