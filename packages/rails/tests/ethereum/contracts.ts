import solc from 'solc'

/** The first token answers nothing to `transfer`, as USDT; the splitter passes on what it is sent, as a contract does. */
const SOURCE = `
// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;
contract Token {
  event Transfer(address indexed from, address indexed to, uint256 value);
  uint8 public decimals;
  constructor(uint8 decimals_) { decimals = decimals_; }
  function transfer(address to, uint256 value) external { emit Transfer(msg.sender, to, value); }
  function transferToMany(address[] calldata to, uint256 value) external {
    for (uint256 i = 0; i < to.length; i++) emit Transfer(msg.sender, to[i], value);
  }
}
contract Splitter {
  function pay(address payable to) external payable { to.transfer(msg.value); }
  function refuse() external payable { revert("refused"); }
}`

/** Its declarations say nothing. */
const compiler = solc as { compile: (input: string) => string }

type Compiled = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { evm: { bytecode: { object: string } }; abi: unknown[] }>>
}

/** Deployable code of the contracts of these tests. */
export const compileContracts = (): { token: `0x${string}`; splitter: `0x${string}` } => {
  const input = {
    language: 'Solidity',
    sources: { 'tests.sol': { content: SOURCE } },
    settings: { optimizer: { enabled: true }, outputSelection: { '*': { '*': ['evm.bytecode.object'] } } },
  }
  const { errors, contracts } = JSON.parse(compiler.compile(JSON.stringify(input))) as Compiled
  const fault = errors?.find(({ severity }) => severity === 'error')
  if (fault) throw new Error(fault.formattedMessage)
  const codeOf = (name: string) => `0x${contracts['tests.sol']?.[name]?.evm.bytecode.object ?? ''}` as const
  return { token: codeOf('Token'), splitter: codeOf('Splitter') }
}
