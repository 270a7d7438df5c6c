import solc from 'solc'

/** Tokens answer nothing to `transfer`, as USDT; the first has no balances, the coin has; the splitter passes on what it is sent, as a contract does. */
const SOURCE = `
// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;
contract Token {
  event Transfer(address indexed from, address indexed to, uint256 value);
  uint8 public decimals;
  mapping(address => uint256) public balanceOf;
  constructor(uint8 decimals_) { decimals = decimals_; }
  function transfer(address to, uint256 value) external {
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
  }
  function transferToMany(address[] calldata to, uint256 value) external {
    for (uint256 i = 0; i < to.length; i++) emit Transfer(msg.sender, to[i], value);
  }
}
contract Coin {
  event Transfer(address indexed from, address indexed to, uint256 value);
  uint8 public constant decimals = 6;
  mapping(address => uint256) public balanceOf;
  constructor() { balanceOf[msg.sender] = 1e18; }
  function transfer(address to, uint256 value) external {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
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
export const compileContracts = () => {
  const codeOf = compile(SOURCE, {})
  return { token: codeOf('Token'), coin: codeOf('Coin'), splitter: codeOf('Splitter') }
}

/** Deployable code of the contracts of one source, by their names. @throws Error with the compiler's message */
export const compile = (source: string, settings: Readonly<Record<string, unknown>>) => {
  const input = {
    language: 'Solidity',
    sources: { 'tests.sol': { content: source } },
    settings: {
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
      ...settings,
    },
  }
  const { errors, contracts } = JSON.parse(compiler.compile(JSON.stringify(input))) as Compiled
  const fault = errors?.find(({ severity }) => severity === 'error')
  if (fault) throw new Error(fault.formattedMessage)
  return (name: string) => `0x${contracts['tests.sol']?.[name]?.evm.bytecode.object ?? ''}` as const
}
