// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import "./moment.sol";

/**
 * Measures what gas limits a user operation needs, and lets its EntryPoint try them, inside one `eth_call`. Never deployed: a
 * state override puts the code instead of the EntryPoint (`measure`) or beside it (`capture`).
 *
 * A limit is searched for, not read off the gas used: by EIP-150 a call keeps 1/64 of the gas back at every depth, and
 * contracts may read `gasleft()`, so an operation can need a higher limit than what it burns. Each attempt runs in a
 * frame that reverts, so that all of them start from the same storage and the same warm slots.
 */
contract CallGasProbe {
    /**
     * Code of the EntryPoint that can simulate, put there by the same state override: its own where it has simulations, for
     * accounts that call back into it too.
     */
    address private constant ENTRY_POINT_CODE = 0x7011F7Ee00000000000000000000000000000001;

    bytes4 private constant VALIDATE_RESULT_06 = 0xe0cff05f; // ValidationResult: how EntryPoint 0.6 reports success
    bytes4 private constant AGGREGATED_RESULT_06 = 0xfaecb4e4; // ValidationResultWithAggregation
    bytes4 private constant EXECUTION_RESULT_06 = 0x8b7ac980; // ExecutionResult: the same of a whole operation

    // The same functions of the operation of 0.6 and of the packed one of later versions.
    bytes4 private constant VALIDATE_USER_OP_06 = 0x3a871cdd;
    bytes4 private constant VALIDATE_USER_OP = 0x19822f7c;
    bytes4 private constant VALIDATE_PAYMASTER_06 = 0xf465c77e;
    bytes4 private constant VALIDATE_PAYMASTER = 0x52b7512c;
    bytes4 private constant SIMULATE_VALIDATION_06 = 0xee219423;
    bytes4 private constant SIMULATE_VALIDATION = 0xc3bce009;
    bytes4 private constant SIMULATE_HANDLE_06 = 0xd6383f94;
    bytes4 private constant SIMULATE_HANDLE = 0x97b2dcb9;
    bytes4 private constant POST_OP_06 = 0xa9a23409; // postOp(uint8,bytes,uint256)
    bytes4 private constant POST_OP = 0x7c627b21; // postOp(uint8,bytes,uint256,uint256): with the fee per gas
    bytes4 private constant EXECUTE_USER_OP = 0x8dd7712f; // executeUserOp(PackedUserOperation,bytes32)

    bytes4 private constant CREATE_SENDER = 0x570e1a36; // createSender(bytes)
    bytes4 private constant BALANCE_OF = 0x70a08231; // balanceOf(address)
    bytes4 private constant ALLOWANCE = 0xdd62ed3e; // allowance(address,address)
    uint256 private constant TOKEN_GAS = 300_000;
    uint256 private constant READ_GAS = 3_000_000;

    uint256 private constant MAX_RESULT_BYTES = 2048;
    /** Gas kept for the probe itself round an attempt. */
    uint256 private constant RESERVE = 150_000;
    /** More than the code of a contract that only runs that of another address. */
    uint256 private constant DELEGATING_BYTES = 100;
    /** Calls that take more are searched in fewer attempts. */
    uint256 private constant HEAVY_GAS = 3_000_000;
    uint256 private constant BASIS_POINTS = 10_000;

    /** The step that failed; NONE when all went through, UNKNOWN when the gas of this call did not suffice to tell. */
    enum Step { NONE, CREATION, ACCOUNT_VALIDATION, PAYMASTER_VALIDATION, UNKNOWN }

    struct Read {
        address target;
        bytes data;
    }

    struct Answer {
        bool success;
        bytes result;
    }

    struct Limits {
        uint256 call;
        uint256 verification;
        uint256 preVerification;
        uint256 paymasterVerification;
        uint256 postOp;
    }

    /** How the limits are made of what is measured. */
    struct Margins {
        uint256 verification; // basis points on top
        uint256 call;
        uint256 postOp;
        uint256 callAllowance; // gas on top of that
        uint256 minCall;
        uint256 unmeasuredPostOp; // verification limit that 0.6 gets for a postOp that could not be tried
    }

    struct Plan {
        Read[] reads; // asked before anything is simulated
        bytes operation; // ABI-encoded, with the limits to measure with
        bool isPacked; // from 0.7 on
        bytes32 hash;
        uint256 maxCost;
        address senderCreator;
        bytes creation; // call to the SenderCreator, empty when the account is deployed
        address sender;
        bool takesWholeOperation; // whether the account's executeUserOp is called
        address paymaster; // zero when the account pays
        uint256[] verificationCeilings; // limits to begin with; none to leave the verification limit as it is
        bool alone; // whether the verification limit, or the trial of the given limits, is all that is wanted
        uint256 verificationCeiling;
        uint256 paymasterOverhead; // what the EntryPoint burns for the paymaster's validation itself: where a search begins
        uint256 executionCeiling;
        uint256 postOpCeiling;
        uint256 feePerGas;
        uint256 rounds; // attempts per search; 0 only tries the ceilings
        uint256 postOpRounds; // the same for the limit of postOp
        uint256 chargedOverhead; // gas that postOp is told of beside what the execution used
        uint256 highestCost; // wei that postOp is told beside what was measured; 0 for none
        address token; // whose funds are read before postOp; zero for none
        bool mayRevert; // whether an operation whose call reverts is tried too
        Margins margins;
        Limits[] given; // limits to try as they are: none or one
        bool givenFirst; // whether nothing is searched for where they suffice and the call uses as much as this
        uint256 leastCallUsed;
    }

    struct Outcome {
        Step failedStep;
        bool executed;
        uint256 executionLimit;
        uint256 executionUsed;
        bool searched; // whether the gas sufficed to tell, to search that limit, and to go on from the call's success
        bool hasPostOp;
        bool charged;
        uint256 postOpLimit;
        bytes revertData; // of the failed step or of the execution
        bytes postOpRevertData;
        uint256 tokenBalance; // of the sender, and what it has approved for the paymaster, when the tokens are taken
        uint256 tokenAllowance;
        bytes senderCode; // whose calls ran: as it was found, or as its creation left it
        bool senderWasThere; // before any creation, which EntryPoint 0.9 leaves out then and earlier ones do not take
        uint256 paymasterUsed;
        bool givenTried; // whether the call was tried with the given limit, and what came of it
        bool givenExecuted;
        bytes givenRevertData;
    }

    /** What the EntryPoint answered to the operation with these limits. */
    struct Trial {
        bool made;
        Limits limits;
        bool returned;
        bytes result;
    }

    struct Measured {
        bytes32 moment;
        uint256 baseFee;
        Answer[] answers;
        uint256 verificationLimit; // 0 when none passed
        uint256 verificationUsed;
        bool narrowed; // whether that limit is the smallest
        bytes verificationResult; // of the last ceiling
        Outcome outcome;
        Trial own; // with the limits that were found
        Trial given;
        bool settled; // whether the given limits were enough, so that nothing was searched for: limits are what was used
    }

    receive() external payable {
        _delegateToEntryPoint();
    }

    fallback() external payable {
        _delegateToEntryPoint();
    }

    /**
     * Runs at the EntryPoint's address: finds the verification limit, the call's and postOp's, and has the EntryPoint handle
     * the operation with them and with those that are given.
     */
    function measure(Plan calldata plan) external returns (Measured memory measured) {
        measured.moment = Moment.current();
        measured.baseFee = block.basefee;
        // Warm from here on: the EntryPoint is on chain.
        if (ENTRY_POINT_CODE.code.length == 0) return measured;
        measured.answers = new Answer[](plan.reads.length);
        for (uint256 i = 0; i < plan.reads.length; i++) {
            (measured.answers[i].success,, measured.answers[i].result) =
                _attempt(plan.reads[i].target, READ_GAS, plan.reads[i].data);
        }
        if (plan.verificationCeilings.length > 0) {
            if (plan.givenFirst) _settle(plan, measured);
            if (!measured.settled) _search(plan, measured);
        } else {
            if (plan.given.length > 0) _try(plan, measured.given, plan.given[0]);
            if (!plan.alone) measured.outcome = _readRun(abi.encodeCall(this.run, (plan)));
        }
    }

    /**
     * Tries the given limits. Where the EntryPoint takes the operation with them, its call goes through, nothing is left to a
     * postOp and enough of them is used, no limit has to be searched for.
     */
    function _settle(Plan calldata plan, Measured memory measured) private {
        // Beyond the ceiling no operation is taken.
        if (plan.given[0].call > plan.executionCeiling || !_canTry(plan.given[0])) return;
        _try(plan, measured.given, plan.given[0]);
        (bool taken, uint256 verificationUsed) = _readTrial(plan, measured.given);
        if (!taken || !_canAfford(plan.given[0].call)) return;
        Outcome memory outcome = _readRun(abi.encodeCall(this.runGiven, (plan)));
        if (!outcome.executed || outcome.executionUsed < plan.leastCallUsed) return;
        (measured.settled, measured.narrowed, measured.outcome) = (true, true, outcome);
        measured.verificationUsed = verificationUsed;
        measured.verificationLimit = _withoutPaymaster(plan, verificationUsed, outcome);
    }

    /** Whether the EntryPoint took the operation and the prefund sufficed, and what its validation burned. */
    function _readTrial(Plan calldata plan, Trial memory trial) private pure returns (bool taken, uint256 verificationUsed) {
        bytes memory result = trial.result;
        Limits memory limits = trial.limits;
        uint256 start = plan.isPacked ? 32 : 4;
        if (result.length < start + 64) return (false, 0);
        uint256 gas = limits.call + limits.verification + limits.paymasterVerification + limits.postOp + limits.preVerification;
        // From 0.7 on the whole prefund is taken where it does not suffice, and the call is undone.
        taken = plan.isPacked
            ? trial.returned && (plan.feePerGas == 0 || _word(result, start + 32) < gas * plan.feePerGas)
            : bytes4(result) == EXECUTION_RESULT_06;
        if (taken) verificationUsed = _word(result, start) - limits.preVerification;
    }

    function _search(Plan calldata plan, Measured memory measured) private {
        uint256 low = _findCeiling(plan, measured);
        if (measured.verificationLimit == 0) return;
        if (!plan.alone) {
            measured.outcome = _readRun(abi.encodeCall(this.run, (plan)));
            if (measured.outcome.failedStep != Step.NONE) return;
        }
        _narrow(plan, measured, low);
        if (plan.alone || !measured.narrowed) return;
        if (!measured.outcome.executed && !plan.mayRevert) return;
        Limits memory own = _assemble(plan, measured);
        if (!_canTry(own)) return;
        _try(plan, measured.own, own);
        if (measured.given.made || plan.given.length == 0) return;
        if (_isShort(plan.given[0], own) && _canTry(plan.given[0])) {
            _try(plan, measured.given, plan.given[0]);
        }
    }

    /** Creation, both validations, execution and postOp in the order on chain; reverts with the outcome. */
    function run(Plan calldata plan) external {
        _revertWith(abi.encode(_run(plan)));
    }

    /** Creation, validations and execution with the given call limit; an operation with a postOp is not executed. */
    function runGiven(Plan calldata plan) external {
        _revertWith(abi.encode(_runGiven(plan)));
    }

    /** Calls and returns the answer whether or not it is a revert: some nodes drop revert data. */
    function capture(address target, bytes calldata data) external returns (bool success, bytes memory result) {
        return target.call(data);
    }

    /** One attempt: always reverts, with (success, gas used, return data). */
    function attempt(address target, uint256 gasLimit, bytes calldata data) external {
        (bool success, uint256 used, bytes memory result) = _measuredCall(target, gasLimit, data);
        _revertWith(abi.encode(success, used, result));
    }

    /**
     * One attempt of the EntryPoint's: always reverts, with (success, return data). The caller stays the caller, which 0.9 wants
     * to be whoever sends the transaction.
     */
    function handle(bytes calldata data) external {
        bytes memory input = data;
        bytes memory result;
        bool success;
        address code = ENTRY_POINT_CODE;
        assembly ("memory-safe") {
            success := delegatecall(gas(), code, add(input, 32), mload(input), 0, 0)
            let size := returndatasize()
            if gt(size, MAX_RESULT_BYTES) { size := MAX_RESULT_BYTES }
            result := mload(0x40)
            mstore(0x40, add(result, and(add(size, 63), not(31))))
            mstore(result, size)
            returndatacopy(add(result, 32), 0, size)
        }
        _revertWith(abi.encode(success, result));
    }

    function _revertWith(bytes memory outcome) private pure {
        assembly ("memory-safe") {
            revert(add(outcome, 32), mload(outcome))
        }
    }

    /** The outcome with which one of the runs reverts. */
    function _readRun(bytes memory run_) private returns (Outcome memory outcome) {
        (, bytes memory result) = address(this).call(run_);
        if (result.length > 0) return abi.decode(result, (Outcome));
        outcome.failedStep = Step.UNKNOWN;
    }

    function _run(Plan calldata plan) private returns (Outcome memory outcome) {
        (bool validated, bytes memory context) = _runValidation(plan, outcome);
        if (!validated) return outcome;
        bool settled = _measureExecution(plan, outcome);
        outcome.hasPostOp = context.length > 0;
        // An execution that reverts has changed nothing and is charged too.
        if ((settled || !outcome.executed) && outcome.hasPostOp) {
            _readFunds(plan, outcome);
            _measurePostOp(plan, context, outcome);
        }
    }

    function _runGiven(Plan calldata plan) private returns (Outcome memory outcome) {
        (bool validated, bytes memory context) = _runValidation(plan, outcome);
        outcome.hasPostOp = context.length > 0;
        if (!validated || outcome.hasPostOp) return outcome;
        bytes memory execution = _executionCall(plan);
        outcome.executed = true;
        if (execution.length > 0) {
            (outcome.executed, outcome.executionUsed,) = _measuredCall(plan.sender, plan.given[0].call, execution);
        }
        (outcome.executionLimit, outcome.searched) = (outcome.executionUsed, true);
        (outcome.givenTried, outcome.givenExecuted) = (true, outcome.executed);
    }

    /** Creation and both validations; returns what the paymaster keeps for its postOp. */
    function _runValidation(Plan calldata plan, Outcome memory outcome)
        private
        returns (bool validated, bytes memory context)
    {
        bytes memory result;
        bool success;
        outcome.senderWasThere = plan.sender.code.length > 0;
        if (plan.creation.length > 0 && !(outcome.senderWasThere && bytes4(plan.creation) == CREATE_SENDER)) {
            (success,, result) = _measuredCall(plan.senderCreator, plan.verificationCeiling, plan.creation);
            if (!success || plan.sender.code.length == 0) return _failed(outcome, Step.CREATION, result);
        }
        outcome.senderCode = plan.sender.code;
        bytes4 selector = plan.isPacked ? VALIDATE_USER_OP : VALIDATE_USER_OP_06;
        (success,, result) = _measuredCall(plan.sender, plan.verificationCeiling, _validationCall(plan, selector, 0));
        if (!success) return _failed(outcome, Step.ACCOUNT_VALIDATION, result);

        if (plan.paymaster != address(0)) {
            selector = plan.isPacked ? VALIDATE_PAYMASTER : VALIDATE_PAYMASTER_06;
            (success, outcome.paymasterUsed, result) = _measuredCall(
                plan.paymaster, plan.verificationCeiling, _validationCall(plan, selector, plan.maxCost)
            );
            if (!success || result.length < 96) {
                _readFunds(plan, outcome);
                return _failed(outcome, Step.PAYMASTER_VALIDATION, result);
            }
            (context,) = abi.decode(result, (bytes, uint256));
        }
        validated = true;
    }

    /** Tries the ceilings in turn until one passes. Returns the highest limit that does not. */
    function _findCeiling(Plan calldata plan, Measured memory measured) private returns (uint256 low) {
        bytes memory simulation = _simulation(plan);
        for (uint256 i = 0; i < plan.verificationCeilings.length; i++) {
            uint256 ceiling = plan.verificationCeilings[i];
            bool passed;
            (passed, measured.verificationResult) = _validate(plan.isPacked, simulation, ceiling);
            if (passed) {
                measured.verificationLimit = ceiling;
                measured.verificationUsed =
                    _readPreOpGas(plan.isPacked, measured.verificationResult) - _limitsOf(plan).preVerification;
                return low;
            }
            low = ceiling;
        }
    }

    /** Narrows the verification limit down, from where it nearly always is and out in growing steps. */
    function _narrow(Plan calldata plan, Measured memory measured, uint256 low) private {
        bytes memory simulation = _simulation(plan);
        uint256 limit = measured.verificationLimit;
        uint256 candidate = _firstCandidate(plan, measured);
        uint256 step = _tolerance(candidate);
        (uint256 highest, uint256 lowest) = (limit, low);
        for (uint256 rounds = plan.rounds; rounds > 0 && limit - low > _tolerance(limit); rounds--) {
            if (candidate <= low || candidate >= limit) candidate = (low + limit) / 2;
            if (!_canAfford(candidate + _limitsOf(plan).paymasterVerification)) break;
            (bool passed,) = _validate(plan.isPacked, simulation, candidate);
            if (passed) limit = candidate;
            else low = candidate;
            if (limit == highest) candidate = low + step;
            else if (low == lowest) candidate = limit > step ? limit - step : 0;
            else candidate = 0;
            step *= 4;
        }
        measured.verificationLimit = limit;
        measured.narrowed = limit - low <= _tolerance(limit);
    }

    /** Where the verification limit nearly always is. */
    function _firstCandidate(Plan calldata plan, Measured memory measured) private pure returns (uint256 candidate) {
        candidate = _withoutPaymaster(plan, measured.verificationUsed, measured.outcome);
        // What a first frame keeps back is more than the tolerance then.
        if (candidate > HEAVY_GAS) candidate += candidate / 63;
    }

    /** What validation burned, less the paymaster's part where that has a limit of its own. */
    function _withoutPaymaster(Plan calldata plan, uint256 used, Outcome memory outcome) private pure returns (uint256) {
        uint256 others = plan.isPacked ? outcome.paymasterUsed + plan.paymasterOverhead : 0;
        return used > others ? used - others : used;
    }

    function _assemble(Plan calldata plan, Measured memory measured) private pure returns (Limits memory limits) {
        Outcome memory outcome = measured.outcome;
        Margins calldata margins = plan.margins;
        limits = _limitsOf(plan);
        // A call that reverts has no smallest limit to search for; what it burns until then is all it needs.
        uint256 needed = outcome.executed ? outcome.executionLimit : outcome.executionUsed;
        limits.call = _max(_addMargin(needed, margins.call) + margins.callAllowance, margins.minCall);
        limits.verification = _addMargin(measured.verificationLimit, margins.verification);
        uint256 postOp = _addMargin(outcome.postOpLimit, margins.postOp);
        if (plan.isPacked) {
            limits.postOp = _max(postOp, limits.postOp);
        } else {
            limits.verification = _max(limits.verification, postOp);
            if (outcome.hasPostOp && !outcome.charged) {
                limits.verification = _max(limits.verification, margins.unmeasuredPostOp);
            }
        }
    }

    /** Whether the gas suffices to have the operation handled with these limits. */
    function _canTry(Limits memory limits) private view returns (bool) {
        return _canAfford(limits.call + limits.verification + limits.paymasterVerification + 2 * limits.postOp + RESERVE);
    }

    /** Has the EntryPoint handle the operation with these limits. */
    function _try(Plan calldata plan, Trial memory trial, Limits memory limits) private {
        trial.limits = limits;
        bytes memory handling = abi.encodePacked(
            plan.isPacked ? SIMULATE_HANDLE : SIMULATE_HANDLE_06,
            uint256(96),
            uint256(0),
            96 + plan.operation.length,
            plan.operation,
            uint256(0)
        );
        _setLimits(plan.isPacked, handling, 4 + 96, limits);
        trial.made = true;
        (, bytes memory outcome) = address(this).delegatecall(abi.encodeCall(this.handle, (handling)));
        if (outcome.length >= 64) (trial.returned, trial.result) = abi.decode(outcome, (bool, bytes));
    }

    /** Returns whether the state is now the one after a successful execution. */
    function _measureExecution(Plan calldata plan, Outcome memory outcome) private returns (bool settled) {
        bytes memory execution = _executionCall(plan);
        if (execution.length == 0) {
            (outcome.executed, outcome.searched) = (true, true);
            (outcome.givenTried, outcome.givenExecuted) = (true, true);
            return true;
        }
        uint256 ceiling = plan.executionCeiling;
        outcome.searched = _canAfford(ceiling);
        (outcome.executed, outcome.executionUsed, outcome.revertData) = _attempt(plan.sender, ceiling, execution);
        if (plan.given.length > 0 && plan.rounds > 0) _tryGivenCall(plan, execution, outcome);
        if (!outcome.executed) return false;
        outcome.executionLimit = ceiling;
        uint256 used = outcome.executionUsed;
        // Where that closes the search already, the call is made once and for good. Many attempts at a heavy call would take all
        // of the gas: what it needs for the part that its first frame keeps back is close enough there.
        uint256 candidate = used - 1 + _tolerance(used) + (used > HEAVY_GAS ? used / 63 : 0);
        uint256 rounds = plan.rounds;
        if (rounds > 0 && candidate < ceiling && _canAfford(candidate)) {
            (settled,,) = _measuredCall(plan.sender, candidate, execution);
            if (settled) outcome.executionLimit = candidate;
            else outcome.executionLimit = _smallestLimit(plan.sender, execution, candidate, ceiling, rounds - 1);
        }
        bool found = rounds == 0 || outcome.executionLimit < ceiling || candidate >= ceiling;
        if (!settled && _canAfford(used)) (settled,,) = _measuredCall(plan.sender, ceiling, execution);
        outcome.searched = found && settled;
        if (rounds > 0 && outcome.executionLimit <= _givenCall(plan)) (outcome.givenTried, outcome.givenExecuted) = (true, true);
    }

    /** Tries the given call limit where it may not suffice. */
    function _tryGivenCall(Plan calldata plan, bytes memory execution, Outcome memory outcome) private {
        if (!outcome.executed) {
            (outcome.givenTried, outcome.givenRevertData) = (true, outcome.revertData);
            return;
        }
        uint256 limit = plan.given[0].call;
        if (limit >= outcome.executionUsed + outcome.executionUsed / 8 + 2 * _tolerance(outcome.executionUsed)) return;
        outcome.givenTried = true;
        (outcome.givenExecuted,, outcome.givenRevertData) = _attempt(plan.sender, limit, execution);
    }

    function _measurePostOp(Plan calldata plan, bytes memory context, Outcome memory outcome) private {
        _chargeAt((outcome.executionUsed + plan.chargedOverhead) * plan.feePerGas, plan, context, outcome);
        if (outcome.charged && plan.highestCost > 0) _chargeAt(plan.highestCost, plan, context, outcome);
    }

    /** Tries postOp at a cost in wei: `postOpLimit` becomes what it needs, if that is more. */
    function _chargeAt(uint256 cost, Plan calldata plan, bytes memory context, Outcome memory outcome) private {
        uint8 mode = outcome.executed ? 0 : 1;
        bytes memory postOp = plan.isPacked
            ? abi.encodeWithSelector(POST_OP, mode, context, cost, plan.feePerGas)
            : abi.encodeWithSelector(POST_OP_06, mode, context, cost);
        uint256 used;
        (outcome.charged, used, outcome.postOpRevertData) = _attempt(plan.paymaster, plan.postOpCeiling, postOp);
        if (!outcome.charged) return;
        uint256 limit = _smallestLimit(plan.paymaster, postOp, used > 0 ? used - 1 : 0, plan.postOpCeiling, plan.postOpRounds);
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
        (bool success,, bytes memory result) = _attempt(target, TOKEN_GAS, data);
        if (success && result.length == 32) word = abi.decode(result, (uint256));
    }

    /**
     * The smallest limit with which the call succeeds, within the tolerance. `ceiling` is known to do and `low` not to. The
     * search starts just above `low`, where the answer nearly always is, and goes up in growing steps before it halves.
     */
    function _smallestLimit(address target, bytes memory data, uint256 low, uint256 ceiling, uint256 rounds)
        private
        returns (uint256 limit)
    {
        limit = ceiling;
        uint256 step = low > HEAVY_GAS ? low / 16 : _tolerance(low);
        bool found;
        while (rounds > 0 && limit - low > _tolerance(limit)) {
            uint256 candidate = found ? (low + limit) / 2 : low + step;
            if (candidate >= ceiling || !_canAfford(candidate)) break;
            (bool success,,) = _attempt(target, candidate, data);
            if (success) (limit, found) = (candidate, true);
            else (low, step) = (candidate, step * 4);
            rounds--;
        }
    }

    function _validate(bool isPacked, bytes memory simulation, uint256 limit)
        private
        returns (bool passed, bytes memory result)
    {
        uint256 place = 4 + 32;
        // 0.6 has a word of its own for it, the sixth; later versions the upper half of the fifth.
        if (isPacked) _setWord(simulation, place + 4 * 32, limit << 128);
        else _setWord(simulation, place + 5 * 32, limit);
        (passed,, result) = _attempt(address(this), gasleft(), simulation);
        if (!passed && result.length >= 4) {
            bytes4 selector = bytes4(result);
            passed = selector == VALIDATE_RESULT_06 || selector == AGGREGATED_RESULT_06;
        }
    }

    /** What validation burns, the first word of `ReturnInfo`: 0.6 answers with an error, later versions by returning. */
    function _readPreOpGas(bool isPacked, bytes memory result) private pure returns (uint256) {
        uint256 start = isPacked ? 32 : 4;
        return _word(result, start + _word(result, start));
    }

    function _simulation(Plan calldata plan) private pure returns (bytes memory) {
        bytes4 selector = plan.isPacked ? SIMULATE_VALIDATION : SIMULATE_VALIDATION_06;
        return abi.encodePacked(selector, uint256(32), plan.operation);
    }

    function _validationCall(Plan calldata plan, bytes4 selector, uint256 funds) private pure returns (bytes memory) {
        return abi.encodePacked(selector, uint256(96), plan.hash, funds, plan.operation);
    }

    /** The call to the sender: the operation's fourth field, or the whole operation. */
    function _executionCall(Plan calldata plan) private pure returns (bytes memory) {
        bytes calldata operation = plan.operation;
        if (plan.takesWholeOperation) {
            return abi.encodePacked(EXECUTE_USER_OP, uint256(64), plan.hash, operation);
        }
        uint256 start = uint256(bytes32(operation[96:128]));
        uint256 length = uint256(bytes32(operation[start:start + 32]));
        return operation[start + 32:start + 32 + length];
    }

    /** The limits that the operation has. */
    function _limitsOf(Plan calldata plan) private pure returns (Limits memory limits) {
        bytes calldata operation = plan.operation;
        limits.preVerification = uint256(bytes32(plan.isPacked ? operation[160:192] : operation[192:224]));
        if (!plan.isPacked || plan.paymaster == address(0)) return limits;
        uint256 start = uint256(bytes32(operation[224:256])) + 32 + 20;
        limits.paymasterVerification = uint128(bytes16(operation[start:start + 16]));
        limits.postOp = uint128(bytes16(operation[start + 16:start + 32]));
    }

    /** Puts limits into the operation that begins at `place` of a call. */
    function _setLimits(bool isPacked, bytes memory data, uint256 place, Limits memory limits) private pure {
        if (!isPacked) {
            _setWord(data, place + 4 * 32, limits.call);
            _setWord(data, place + 5 * 32, limits.verification);
            _setWord(data, place + 6 * 32, limits.preVerification);
            return;
        }
        _setWord(data, place + 4 * 32, limits.verification << 128 | limits.call);
        _setWord(data, place + 5 * 32, limits.preVerification);
        uint256 paymasterAndData = place + _word(data, place + 7 * 32);
        if (_word(data, paymasterAndData) < 52) return;
        // Behind the paymaster's address.
        _setWord(data, paymasterAndData + 32 + 20, limits.paymasterVerification << 128 | limits.postOp);
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

    function _failed(Outcome memory outcome, Step step, bytes memory result) private pure returns (bool, bytes memory) {
        outcome.failedStep = step;
        outcome.revertData = result;
        return (false, "");
    }

    /** Whether one of the limits is below what suffices. */
    function _isShort(Limits calldata limits, Limits memory sufficient) private pure returns (bool) {
        return limits.call < sufficient.call || limits.verification < sufficient.verification
            || limits.paymasterVerification < sufficient.paymasterVerification || limits.postOp < sufficient.postOp;
    }

    function _givenCall(Plan calldata plan) private pure returns (uint256) {
        return plan.given.length == 0 ? 0 : plan.given[0].call;
    }

    function _addMargin(uint256 amount, uint256 margin) private pure returns (uint256) {
        return amount + (amount * margin + BASIS_POINTS - 1) / BASIS_POINTS;
    }

    function _max(uint256 one, uint256 other) private pure returns (uint256) {
        return one > other ? one : other;
    }

    /** The word at an offset; 0 beyond the end. */
    function _word(bytes memory data, uint256 offset) private pure returns (uint256 word) {
        if (data.length < 32 || offset > data.length - 32) return 0;
        assembly ("memory-safe") {
            word := mload(add(add(data, 32), offset))
        }
    }

    function _setWord(bytes memory data, uint256 offset, uint256 word) private pure {
        if (data.length < 32 || offset > data.length - 32) return;
        assembly ("memory-safe") {
            mstore(add(add(data, 32), offset), word)
        }
    }

    /** 0.4 %, but not less than 200 gas: more precision than the margins on top are worth. */
    function _tolerance(uint256 limit) private pure returns (uint256) {
        return limit / 256 + 200;
    }

    /**
     * Whether an attempt with this limit still gets all of it: 1/64 is kept back twice, and twice more where what stands in the
     * place of the EntryPoint, and of its simulations, only runs code of other addresses.
     */
    function _canAfford(uint256 limit) private view returns (bool) {
        return gasleft() > limit + limit / (address(this).code.length < DELEGATING_BYTES ? 15 : 30) + RESERVE;
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
