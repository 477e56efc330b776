import {
  type Abi,
  type Address,
  type ContractFunctionName,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseEther,
} from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { Secret } from '../../../core/base/values/secret.ts';
import type { ChainConfig } from '../../../core/domain/core-config.ts';
import { type EntryPointVersion, entryPointVersions } from '../../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import { mainnetPrices } from '../../../core/domain/unit-prices.ts';
import type { GasLimits, UserOperation, UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { paymasterContractFamilies } from '../../../core/evm/paymaster-contracts/families.ts';
import type {
  PaymasterContract,
  PaymasterContractFamily,
  SignedTerms,
} from '../../../core/evm/paymaster-contracts/family/family.ts';
import type { EstimationRequest } from '../../../core/gas/estimator.ts';
import { gasSchedules } from '../../../core/gas/gas-schedule.ts';
import { createChainClient } from '../../../core/node/chain-client.ts';
import { type Devnet, devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import {
  buildUserOperation,
  type DevCall,
  signUserOperation,
} from '../../../server/dev/user-operation/build-user-operation.ts';
import type { DevUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { handleUserOperation, type OperationOutcome } from '../../../server/dev/user-operation/entry-point.ts';
import { compileSolidity } from '../../../tools/compile-solidity.ts';
import { leaseDevnet, leasedSignerKey } from '../chain/lease-devnet.ts';

const puzzleSource = new URL('contracts/GasPuzzle.sol', import.meta.url).pathname;
export const depositAbi = parseAbi(['function depositTo(address account) payable']);
export const erc20Abi = parseAbi([
  'function mint(address to, uint256 value)',
  'function approve(address spender, uint256 value) returns (bool)',
]);
export const puzzleAbi = parseAbi([
  'function calls(address) view returns (uint256)',
  'function fill(uint256 count)',
  'function dive(uint256 depth, uint256 slotCount)',
  'function wantGas(uint256 atLeast)',
  'function clear(uint256 count)',
  'function store(bytes data)',
  'function failWithText()',
  'function failWithUglyText()',
  'function failWithCustomError()',
  'function failWithPanic()',
  'function spin()',
]);

/** A real chain with funded paymasters, and a contract that is hard to estimate. */
export type EstimationBench = {
  readonly devnet: Devnet;
  readonly config: ChainConfig;
  readonly client: ReturnType<typeof createChainClient>;
  readonly puzzle: Address;
  readonly wholeOperationAccount: Address;
  readonly heavyToken: Address;
  readonly bundler: PrivateKeyAccount;
  readonly paymasterSigner: PrivateKeyAccount;
  close(): Promise<void>;
};

/** Something to estimate: the operation, its account's owner and what is needed to have it land. */
export type Case = {
  readonly owner: PrivateKeyAccount;
  readonly request: EstimationRequest;
  readonly family: PaymasterContractFamily;
  readonly contract: PaymasterContract;
  readonly signedTerms: SignedTerms;
};

export async function startEstimationBench(): Promise<EstimationBench> {
  const paymasterSigner = privateKeyToAccount(leasedSignerKey);
  const devnet = await leaseDevnet();
  const [key] = devnet.fundedKeys;
  if (key === undefined) throw new Error('The chain has no funded key.');
  const bundler = privateKeyToAccount(key);
  for (const version of entryPointVersions) {
    await send(devnet, bundler, {
      to: devnet.entryPoints[version],
      value: parseEther('50'),
      data: encodeFunctionData({
        abi: depositAbi,
        args: [devnet.paymasterContracts[devnetFamilies[version]]],
      }),
    });
  }
  const config = chainConfig(devnet);
  return {
    devnet,
    config,
    client: createChainClient(config),
    puzzle: await deploy(devnet, bundler, 'GasPuzzle'),
    wholeOperationAccount: await deploy(devnet, bundler, 'WholeOperationAccount'),
    heavyToken: await deploy(devnet, bundler, 'HeavyToken'),
    bundler,
    paymasterSigner,
    close: devnet.close,
  };
}

export function chainConfig(devnet: Pick<Devnet, 'chainId' | 'rpcUrl' | 'entryPoints'>): ChainConfig {
  return {
    chainId: devnet.chainId,
    name: 'Test chain',
    nodeUrls: [devnet.rpcUrl],
    callTimeoutMs: 10_000,
    entryPoints: devnet.entryPoints,
    paymasterContracts: [],
    tokens: [],
    nativePrice: { sources: [{ kind: 'fixed', usd: '2000' }], minimumSources: 1, maximumDeviationBasisPoints: 200 },
    signer: { kind: 'raw', privateKey: new Secret(generatePrivateKey()) },
    confirmations: 0,
    pollIntervalMs: 1_000,
    startBlock: 0n,
  };
}

async function deploy(devnet: Devnet, from: PrivateKeyAccount, name: string): Promise<Address> {
  const compiled = compileSolidity(puzzleSource).get(name);
  if (compiled === undefined) throw new Error(`${name} did not compile.`);
  const { contractAddress } = await send(devnet, from, { data: compiled.creationBytecode });
  if (!contractAddress) throw new Error(`${name} was not deployed.`);
  return contractAddress;
}

export async function send(devnet: Devnet, from: PrivateKeyAccount, call: { to?: Address; value?: bigint; data: Hex }) {
  const hash = await devnet.client.sendTransaction({ account: from, chain: devnet.client.chain, ...call });
  return devnet.client.waitForTransactionReceipt({ hash });
}

export type CaseOptions = {
  readonly version: EntryPointVersion;
  readonly mode?: SponsorshipMode;
  readonly owner?: PrivateKeyAccount;
  readonly callGasAllowance?: bigint;
  /** The token of token mode: the chain's first one unless given. */
  readonly token?: Address;
};

/** An operation of the SimpleAccount of a new owner, or of the given one. */
export async function makeCase(bench: EstimationBench, options: CaseOptions, calls: readonly DevCall[]): Promise<Case> {
  const { devnet } = bench;
  const { version, mode = 'SPONSORED', owner = privateKeyToAccount(generatePrivateKey()) } = options;
  const name = devnetFamilies[version];
  const family = paymasterContractFamilies.get(name);
  if (family === undefined) throw new Error(`There is no family ${name}.`);
  const built = await buildUserOperation(devnet, { version, owner: owner.address }, calls);
  const entryPoint = devnet.entryPoints[version];
  const contract = { chainId: devnet.chainId, address: devnet.paymasterContracts[name], entryPoint };
  const signedTerms = makeTerms(devnet, mode, options.token);
  const operation: UserOperation = {
    entryPointVersion: version,
    sender: built.sender,
    nonce: built.nonce,
    initCode: built.initCode,
    callData: built.callData,
    maxFeePerGas: built.maxFeePerGas,
    maxPriorityFeePerGas: built.maxPriorityFeePerGas,
    signature: '0x',
  };
  const request: EstimationRequest = {
    operation,
    entryPoint,
    paymasterGas: family.paymasterGasLimits(mode, gasSchedules.osaka, operation),
    stub: (withGas) => family.stub(contract, withGas, signedTerms),
    callGasAllowance: options.callGasAllowance ?? 0n,
  };
  return { owner, request, family, contract, signedTerms };
}

function makeTerms(devnet: Devnet, mode: SponsorshipMode, givenToken?: Address): SignedTerms {
  const times = { validUntil: 4_000_000_000, validAfter: 0 };
  if (mode === 'SPONSORED') return { mode, ...times, fundingWallet: devnet.tokenRecipient, priceMarkup: 1_000_000 };
  const token = givenToken ?? devnet.tokens[0]?.address;
  if (token === undefined) throw new Error('The chain has no token.');
  return {
    mode,
    ...times,
    token,
    exchangeRate: 2_000_000_000n,
    tokenRecipient: devnet.tokenRecipient,
    prices: mainnetPrices,
  };
}

/** Signs for real, with exactly these limits, and has the EntryPoint handle the operation. */
export async function land(bench: EstimationBench, subject: Case, gas: GasLimits): Promise<OperationOutcome> {
  return handleUserOperation(bench.devnet, await signCase(bench, subject, gas), bench.bundler);
}

/** The operation with these limits, signed by paymaster and owner. */
export async function signCase(bench: EstimationBench, subject: Case, gas: GasLimits): Promise<DevUserOperation> {
  const { family, contract, signedTerms, owner } = subject;
  const withGas: UserOperationWithGas = { ...subject.request.operation, gas };
  const { unsigned, digest } = family.prepare(contract, withGas, signedTerms);
  const paymasterAndData = family.assemble(
    unsigned,
    await bench.paymasterSigner.signMessage({ message: { raw: digest } }),
  );
  const { gas: limits, ...operation } = withGas;
  const complete = {
    ...operation,
    callGasLimit: limits.callGasLimit,
    verificationGasLimit: limits.verificationGasLimit,
    preVerificationGas: limits.preVerificationGas,
    paymasterAndData,
  };
  return signUserOperation(bench.devnet, complete, owner);
}

/** A call of the contract that is hard to estimate. */
export function puzzleCall(
  bench: EstimationBench,
  functionName: ContractFunctionName<typeof puzzleAbi, 'nonpayable'>,
  args: readonly (bigint | Hex)[] = [],
): DevCall {
  return { to: bench.puzzle, data: encodeFunctionData({ abi: puzzleAbi as Abi, functionName, args }) };
}
