// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/**
 * Makes an account's calls inside one `eth_call` and finds which of them run code that the account's owner could have chosen. Never
 * deployed: a state override puts the code at the account, at other addresses without code that the calls name, and at `MODE`.
 *
 * The calls are made twice, each time in a frame that reverts. The second time the code burns gas whenever it is entered, so a call
 * that enters it, at any depth, needs more. Storage could not tell: a static call may not write, and what reverts is forgotten.
 */
contract CallbackProbe {
    /** Holds the mode for all addresses that have this code. */
    address private constant MODE = 0x7011f7eE00000000000000000000000000000004;
    uint256 private constant QUIET = 1;
    uint256 private constant BURNING = 2;
    /** Gas that is burned at each entry, if there is more: a stipend of 2,300 gas and the 30,000 gas of ERC-165 are no use to anyone. */
    uint256 private constant BURNED = 100_000;
    /** Gas kept for what comes after both attempts. */
    uint256 private constant RESERVE = 500_000;
    bytes4 private constant SUPPORTS_INTERFACE = 0x01ffc9a7;
    bytes4 private constant NO_INTERFACE = 0xffffffff;

    struct Call {
        address target;
        uint256 value;
        bytes data;
    }

    /** The first slot, and used at `MODE` alone. */
    uint256 public mode;

    function setMode(uint256 next) external {
        mode = next;
    }

    receive() external payable {
        _burn();
    }

    /** Answers as accounts do: receivers of tokens and ERC-1271 say yes by their own selector. */
    fallback() external payable {
        _burn();
        bytes32 answer = bytes32(msg.sig);
        if (msg.sig == SUPPORTS_INTERFACE && msg.data.length >= 36) {
            answer = bytes32(uint256(bytes4(msg.data[4:8]) == NO_INTERFACE ? 0 : 1));
        }
        assembly {
            mstore(0, answer)
            return(0, 32)
        }
    }

    function _burn() private view {
        if (gasleft() < 2 * BURNED || CallbackProbe(payable(MODE)).mode() != BURNING) return;
        uint256 end = gasleft() - BURNED;
        while (gasleft() > end) {}
    }

    /** For each call whether it ran such code, and how many of the calls succeed one after the other. */
    function watch(Call[] calldata calls) external returns (bool[] memory entered, uint256 succeeded) {
        entered = new bool[](calls.length);
        uint256 limit = ((gasleft() - RESERVE) * 48) / 100;
        (uint256[] memory quiet, uint256 made) = _attempt(calls, QUIET, limit);
        (uint256[] memory burning,) = _attempt(calls, BURNING, limit);
        for (uint256 i = 0; i < quiet.length && i < burning.length; i++) {
            entered[i] = burning[i] >= quiet[i] + BURNED / 2;
        }
        succeeded = made;
    }

    /** Nothing if the gas did not suffice. */
    function _attempt(Call[] calldata calls, uint256 next, uint256 limit)
        private
        returns (uint256[] memory used, uint256 succeeded)
    {
        try this.attempt{gas: limit}(calls, next) {}
        catch (bytes memory answer) {
            if (answer.length >= 96) (used, succeeded) = abi.decode(answer, (uint256[], uint256));
        }
    }

    /** Reverts with the gas that each call used, and how many of the calls succeeded. */
    function attempt(Call[] calldata calls, uint256 next) external {
        CallbackProbe(payable(MODE)).setMode(next);
        uint256[] memory used = new uint256[](calls.length);
        uint256 succeeded = 0;
        for (uint256 i = 0; i < calls.length && succeeded == i; i++) {
            bytes memory data = calls[i].data;
            address target = calls[i].target;
            uint256 value = calls[i].value;
            uint256 start = gasleft();
            bool success;
            assembly ("memory-safe") {
                success := call(gas(), target, value, add(data, 32), mload(data), 0, 0)
            }
            used[i] = start - gasleft();
            if (success) succeeded++;
        }
        bytes memory answer = abi.encode(used, succeeded);
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }
}
