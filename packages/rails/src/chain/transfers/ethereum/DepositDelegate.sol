// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Code that deposit addresses take by EIP-7702, so that the gas account pays for what leaves them. It has no storage:
/// what may be moved is decided by who calls, and the gas account's nonce lets no call be repeated.
contract DepositDelegate {
    address private immutable gasAccount;
    /// The contract itself, also where its code runs for a deposit address.
    address private immutable deployed;

    error NotAllowed();
    error TokenRefused(address from);

    constructor(address gasAccount_) {
        gasAccount = gasAccount_;
        deployed = address(this);
    }

    /// Deposits of ETH still arrive.
    receive() external payable {}

    /// Runs at a deposit address: sends a token that this address holds.
    function send(address token, address to, uint256 amount) external {
        if (msg.sender != gasAccount && msg.sender != deployed) revert NotAllowed();
        // Some tokens answer nothing (USDT), others true.
        (bool done, bytes memory answer) = token.call(abi.encodeWithSelector(0xa9059cbb, to, amount));
        bool accepted = answer.length == 0 ? token.code.length > 0 : abi.decode(answer, (bool));
        if (!done || !accepted) revert TokenRefused(address(this));
    }

    /// Runs at the contract: sends from each of these addresses, all or none.
    function sweep(address token, address to, address payable[] calldata from, uint256[] calldata amounts) external {
        if (msg.sender != gasAccount || from.length != amounts.length) revert NotAllowed();
        for (uint256 i = 0; i < from.length; i++) DepositDelegate(from[i]).send(token, to, amounts[i]);
    }
}
