import type { AbiParameter } from 'viem';
import { parseAbiItem } from 'viem';
import { chainExport, chainLabel, coinSymbol } from '../../parts/text/chain-name.ts';

/** A program to paste, with what has to be installed for it and how it is run. */
export type Program = {
  readonly name: string;
  /** Packages for `npm install`, or none. */
  readonly packages: readonly string[];
  /** The file to save it as; absent: it is pasted into a terminal. */
  readonly file?: string;
  readonly code: string;
  readonly note?: string;
};

/** What the programs of a paymaster contain. */
export type Filled = {
  /** The paymaster's RPC URL. */
  readonly url: string;
  readonly chainId: number;
  readonly entryPointVersion: string;
  /** The bundler's URL: the RPC URL itself where the operator exposes one. */
  readonly bundlerUrl: string;
  /** Address of the contract that is called, and the method's signature, such as `claim(uint256)`. */
  readonly call: { readonly address: string; readonly method: string };
  /** A named policy that requests choose. */
  readonly policyId?: string;
  /** Where the policy requires a ticket: what your server answers with one. */
  readonly ticketUrl?: string;
};

/** Programs that send one sponsored call from a new account. Each runs as pasted; a test runs them. */
export function programsFor(filled: Filled): readonly Program[] {
  const { origin } = new URL(filled.url);
  return [
    { name: 'viem', packages: packagesOf(filled, 'viem'), file: 'sponsored.mjs', code: withViem(filled) },
    {
      name: 'permissionless',
      packages: packagesOf(filled, 'viem', 'permissionless'),
      file: 'sponsored.mjs',
      code: withPermissionless(filled),
    },
    {
      name: 'wagmi',
      packages: ['wagmi', 'viem', '@tanstack/react-query'],
      file: 'sponsored.ts',
      code: withWagmi(filled),
      note: 'For wallets that ask the paymaster themselves (EIP-5792 and ERC-7677), such as Coinbase Wallet. It imports the config of your app.',
    },
    {
      name: 'Tollfree SDK',
      packages: packagesOf(filled, 'viem', `${origin}/sdk.tgz`),
      file: 'sponsored.mjs',
      code: withSdk(filled),
      note: 'Your service has the SDK as a file.',
    },
    { name: 'curl', packages: [], code: withCurl(filled), note: 'It reads and changes nothing.' },
  ];
}

/** From EntryPoint 0.8 on, an account of a wallet by EIP-7702 needs viem alone. */
function hasWalletAccounts({ entryPointVersion }: Filled): boolean {
  return entryPointVersion !== '0.6' && entryPointVersion !== '0.7';
}

function packagesOf(filled: Filled, ...names: readonly string[]): readonly string[] {
  return hasWalletAccounts(filled) ? names : [...new Set([...names, 'permissionless'])];
}

type Parts = {
  /** Imports from `viem` and its folders, in addition to those of the account. */
  readonly imports: readonly string[];
  readonly fromViem: readonly string[];
  readonly fromAccountAbstraction: readonly string[];
  readonly send: string;
};

/** A program: imports, chain, a new account, and what sends. */
function programOf(filled: Filled, { imports, fromViem, fromAccountAbstraction, send }: Parts): string {
  const { code, names } = chainParts(filled);
  const account = accountParts(filled);
  const named = (from: readonly string[], path: string) =>
    from.length === 0 ? [] : [`import { ${[...new Set(from)].sort().join(', ')} } from '${path}';`];
  const ticket = ticketLines(filled);
  const lines = [
    ...imports,
    ...named(account.fromPermissionless, 'permissionless/accounts'),
    ...named(['createPublicClient', 'http', 'parseAbi', ...fromViem, ...names.viem], 'viem'),
    ...named([...fromAccountAbstraction, ...account.fromAccountAbstraction], 'viem/account-abstraction'),
    "import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';",
    ...named(names.chains, 'viem/chains'),
  ];
  return `${lines.join('\n')}
${code === '' ? '' : `\n${code}`}
const client = createPublicClient({ chain, transport: http() });
const owner = privateKeyToAccount(generatePrivateKey()); // a new account without any coin
${account.code}
${ticket === '' ? '' : `\n${ticket}\n`}${send}`;
}

function chainParts({ chainId }: Filled) {
  const exported = chainExport(chainId);
  if (exported !== undefined) {
    return { code: '', names: { viem: [], chains: [`${exported} as chain`] } };
  }
  const symbol = coinSymbol(chainId) ?? 'ETH';
  return {
    code: `const chain = defineChain({
  id: ${chainId},
  name: '${chainLabel(chainId)}',
  nativeCurrency: { name: '${symbol}', symbol: '${symbol}', decimals: 18 },
  rpcUrls: { default: { http: ['https://node.example'] } }, // replace it with a node of the chain
});`,
    names: { viem: ['defineChain'], chains: [] },
  };
}

function accountParts(filled: Filled) {
  const { entryPointVersion: version } = filled;
  if (hasWalletAccounts(filled)) {
    const entryPoint = version === '0.8' ? '' : `, entryPoint: '${version}'`;
    return {
      fromPermissionless: [],
      fromAccountAbstraction: ['toSimple7702SmartAccount'],
      code: `const account = await toSimple7702SmartAccount({ client, owner${entryPoint} });`,
    };
  }
  const address = `entryPoint${version.replace('.', '')}Address`;
  return {
    fromPermissionless: ['toSimpleSmartAccount'],
    fromAccountAbstraction: [address],
    code: `const entryPoint = { address: ${address}, version: '${version}' };
const account = await toSimpleSmartAccount({ client, owner, entryPoint });`,
  };
}

/** The operation that a client sends, as the argument of `sendUserOperation`. */
function operationOf(filled: Filled): string {
  const { address, method } = filled.call;
  const { name, args } = sampleCall(method);
  const authorization = hasWalletAccounts(filled)
    ? `
  authorization: await owner.signAuthorization({
    address: account.authorization.address,
    chainId: chain.id,
    nonce: 0,
  }),`
    : '';
  return `{
  calls: [{
    to: '${address}',
    abi: parseAbi(['function ${method}']),
    functionName: '${name}',${args === '' ? '' : `\n    args: [${args}], // samples`}
  }],${authorization}
}`;
}

const printed = `console.log(success ? 'Landed' : 'Reverted', receipt.transactionHash);`;

/** Fetches the ticket of a signed-in user; nothing where none is required. */
function ticketLines({ ticketUrl }: Filled): string {
  if (ticketUrl === undefined) return '';
  return `// Your server signs a ticket for a user with a session. In a page, the browser sends the cookie itself.
const answer = await fetch('${ticketUrl}', { method: 'POST', headers: { cookie: 'session=demo-session' } });
if (!answer.ok) throw new Error('Your server gave no ticket.');
const { ticket } = await answer.json();`;
}

/** The context that requests carry, as code; undefined without a policy to choose and a ticket to send. */
function contextOf({ policyId, ticketUrl }: Filled): string | undefined {
  const fields = [
    ...(policyId === undefined ? [] : [`policyId: '${policyId}'`]),
    ...(ticketUrl === undefined ? [] : ['ticket']),
  ];
  return fields.length === 0 ? undefined : `{ ${fields.join(', ')} }`;
}

function contextLine(filled: Filled): string {
  const context = contextOf(filled);
  return context === undefined ? '' : `\n  paymasterContext: ${context},`;
}

/** The transports, of which there is one if the RPC URL is a bundler's too. */
function transportOf({ url, bundlerUrl }: Filled) {
  if (url === bundlerUrl)
    return { code: `const transport = http('${url}'); // paymaster and bundler`, bundler: 'transport' };
  return {
    code: `const transport = http('${url}');\nconst bundlerTransport = http('${bundlerUrl}');`,
    bundler: 'transport: bundlerTransport',
  };
}

function withViem(filled: Filled): string {
  const { code, bundler } = transportOf(filled);
  return programOf(filled, {
    imports: [],
    fromViem: [],
    fromAccountAbstraction: ['createBundlerClient', 'createPaymasterClient'],
    send: `${code}
const bundler = createBundlerClient({
  account,
  client,
  ${bundler},
  paymaster: createPaymasterClient({ transport }),${contextLine(filled)}
});

const hash = await bundler.sendUserOperation(${operationOf(filled)});
const { success, receipt } = await bundler.waitForUserOperationReceipt({ hash });
${printed}`,
  });
}

function withPermissionless(filled: Filled): string {
  const { code, bundler } = transportOf(filled);
  return programOf(filled, {
    imports: ["import { createSmartAccountClient } from 'permissionless';"],
    fromViem: [],
    fromAccountAbstraction: ['createPaymasterClient'],
    send: `${code}
const smartAccountClient = createSmartAccountClient({
  account,
  client,
  bundlerTransport: ${bundler.replace('transport: ', '')},
  paymaster: createPaymasterClient({ transport }),${contextLine(filled)}
});

const hash = await smartAccountClient.sendUserOperation(${operationOf(filled)});
const { success, receipt } = await smartAccountClient.waitForUserOperationReceipt({ hash });
${printed}`,
  });
}

function withSdk(filled: Filled): string {
  const { url, bundlerUrl } = filled;
  const context = contextOf(filled);
  const options = context === undefined ? '' : `, { paymasterContext: ${context} }`;
  return programOf(filled, {
    imports: ["import { createPaymaster, createSponsorClient, SponsorshipRefusedError } from '@tollfree/sdk';"],
    fromViem: [],
    fromAccountAbstraction: ['createBundlerClient'],
    send: `const sponsor = createSponsorClient({ url: '${url}' });
const bundler = createBundlerClient({
  account,
  client,
  transport: http('${bundlerUrl}'),
  paymaster: createPaymaster(sponsor${options}),
});

const operation = ${operationOf(filled)};
try {
  const hash = await bundler.sendUserOperation(operation);
  const { success, receipt } = await bundler.waitForUserOperationReceipt({ hash });
  ${printed}
} catch (error) {
  if (!(error instanceof SponsorshipRefusedError)) throw error;
  console.log('Refused:', error.reason, error.message);
}`,
  });
}

function withWagmi(filled: Filled): string {
  const { address, method } = filled.call;
  const { name, args } = sampleCall(method);
  const context = contextOf(filled);
  const ticket = ticketLines(filled);
  const paymasterService = `{ url: '${filled.url}'${context === undefined ? '' : `, context: ${context}`} }`;
  const given = args === '' ? '' : `, args: [${args.replaceAll('account.address', `'${address}'`)}]`;
  return `import { encodeFunctionData, parseAbi } from 'viem';
import { sendCalls } from 'wagmi/actions';
import { config } from './config.ts'; // your app's, with a connected wallet

const abi = parseAbi(['function ${method}']);
const data = encodeFunctionData({ abi, functionName: '${name}'${given} });
${ticket === '' ? '' : `${ticket}\n`}// The hook useSendCalls takes the same.
const { id } = await sendCalls(config, {
  calls: [{ to: '${address}', data }],
  capabilities: { paymasterService: ${paymasterService} },
});
console.log('Sent', id);`;
}

function withCurl({ url, chainId }: Filled): string {
  const ask = (method: string) =>
    `curl -s '${url}' \\
  -H 'content-type: application/json' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"${method}","params":[]}'`;
  return `# The EntryPoint that this paymaster signs for
${ask('pm_supportedEntryPoints')}

# Its chain, ${chainId}
${ask('pm_chainId')}`;
}

/** A method's name, and a sample for each of its arguments as code. */
function sampleCall(method: string): { readonly name: string; readonly args: string } {
  const name = method.replace(/\(.*/, '');
  const item = parseAbiItem(`function ${method}`) as { readonly inputs?: readonly AbiParameter[] };
  return { name, args: (item.inputs ?? []).map(sampleOf).join(', ') };
}

function sampleOf(parameter: AbiParameter): string {
  const { type } = parameter;
  const list = /^(.*)\[(\d*)\]$/.exec(type);
  if (list !== null) {
    const [, element = '', length = ''] = list;
    const sample = sampleOf({ ...parameter, type: element });
    return `[${Array.from({ length: length === '' ? 1 : Number(length) }, () => sample).join(', ')}]`;
  }
  if (type === 'tuple') return `[${('components' in parameter ? parameter.components : []).map(sampleOf).join(', ')}]`;
  if (type === 'address') return 'account.address';
  if (type === 'bool') return 'true';
  if (type === 'string') return "'hello'";
  const bytes = /^bytes(\d+)$/.exec(type);
  if (bytes !== null) return `'0x${'00'.repeat(Number(bytes[1]))}'`;
  if (type === 'bytes') return "'0x'";
  // Integers of up to 48 bits are numbers in JavaScript.
  return Number(type.replace(/\D/g, '') || 256) <= 48 ? '1' : '1n';
}
