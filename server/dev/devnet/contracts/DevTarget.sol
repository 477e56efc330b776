// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// What sponsored calls on a development chain are aimed at: something to count, to write, to pay and to fail.
contract DevTarget {
    mapping(address => uint256) public count;
    mapping(address => string) public lastNote;
    mapping(address => uint256) public received;

    event Incremented(address indexed caller, uint256 count);
    event Recorded(address indexed caller, string note);
    event Received(address indexed caller, uint256 value);

    error FailedOnPurpose(address caller);

    function increment() external {
        count[msg.sender] += 1;
        emit Incremented(msg.sender, count[msg.sender]);
    }

    function record(string calldata note) external {
        lastNote[msg.sender] = note;
        emit Recorded(msg.sender, note);
    }

    function pay() external payable {
        received[msg.sender] += msg.value;
        emit Received(msg.sender, msg.value);
    }

    function fail() external view {
        revert FailedOnPurpose(msg.sender);
    }
}
