// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/**
 * Stands in an account's place inside one `eth_call` and finds which of its calls fails. Never deployed: a state override puts the code
 * there. Storage and balance are the account's own.
 */
contract FailingCallProbe {
    /** Gas kept for what comes after a call. */
    uint256 private constant RESERVE = 500_000;
    uint256 private constant MAX_RESULT_BYTES = 2048;
    uint256 private constant APPROVE_BYTES = 68;
    bytes4 private constant APPROVE = 0x095ea7b3; // approve(address,uint256)
    bytes4 private constant ALLOWANCE = 0xdd62ed3e; // allowance(address,address)
    bytes4 private constant SUPPORTS_INTERFACE = 0x01ffc9a7;

    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    /** `balance`: wei that the account has before the call. `allowance`: what it has approved already, if it then can after approving 0. */
    struct Failure {
        bool found;
        uint256 index;
        bytes revertData;
        uint256 balance;
        uint256 allowance;
    }

    receive() external payable {}

    /** Answers contracts that call back as accounts do. Receivers of tokens and ERC-1271 say yes by their own selector. */
    fallback() external payable {
        bytes32 answer = msg.sig == SUPPORTS_INTERFACE ? bytes32(uint256(1)) : bytes32(msg.sig);
        assembly {
            mstore(0, answer)
            return(0, 32)
        }
    }

    /** Makes the calls one after the other, with at most `ceiling` gas in all, until one fails. */
    function find(Call[] calldata calls, uint256 ceiling) external returns (Failure memory failure) {
        uint256 left = ceiling;
        for (uint256 i = 0; i < calls.length; i++) {
            // With less gas than this, a failure would be the probe's own.
            if (gasleft() < left + left / 30 + RESERVE) return failure;
            uint256 balance = address(this).balance;
            uint256 start = gasleft();
            (bool success, bytes memory result) = _make(calls[i].target, calls[i].value, calls[i].data, left);
            if (!success) {
                failure = Failure(true, i, result, balance, 0);
                failure.allowance = _allowanceInTheWay(calls[i], left);
                return failure;
            }
            uint256 used = start - gasleft();
            left = left > used ? left - used : 0;
        }
    }

    /** The allowance because of which an approval fails; 0 if there is none, or if the approval fails after one of 0 as well. */
    function _allowanceInTheWay(Call calldata call, uint256 limit) private returns (uint256 allowance) {
        if (call.data.length != APPROVE_BYTES || bytes4(call.data) != APPROVE) return 0;
        address spender = address(uint160(uint256(bytes32(call.data[4:36]))));
        (bool told, bytes memory answer) =
            _make(call.target, 0, abi.encodeWithSelector(ALLOWANCE, address(this), spender), limit);
        if (!told || answer.length != 32) return 0;
        (bool cleared,) = _make(call.target, 0, abi.encodeWithSelector(APPROVE, spender, 0), limit);
        if (!cleared) return 0;
        (bool approved,) = _make(call.target, call.value, call.data, limit);
        return approved ? abi.decode(answer, (uint256)) : 0;
    }

    function _make(address target, uint256 value, bytes memory data, uint256 limit)
        private
        returns (bool success, bytes memory result)
    {
        assembly ("memory-safe") {
            success := call(limit, target, value, add(data, 32), mload(data), 0, 0)
            let size := returndatasize()
            if gt(size, MAX_RESULT_BYTES) { size := MAX_RESULT_BYTES }
            result := mload(0x40)
            mstore(0x40, add(result, and(add(size, 63), not(31))))
            mstore(result, size)
            returndatacopy(add(result, 32), 0, size)
        }
    }
}
