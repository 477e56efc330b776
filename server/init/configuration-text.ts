import { tokenEntry, type WellKnownChain } from '../chains/well-known-chain.ts';

/** The input of a new configuration. Paths are relative to the file's folder, or absolute. */
type NewConfiguration = {
  readonly chainId: number;
  readonly wellKnown: WellKnownChain | undefined;
  /** The coin's fixed price in USD, for a chain that is not well known. */
  readonly coinUsd: string;
  readonly nodeUrls: readonly string[];
  readonly databaseFile: string;
  readonly coreSocket: string;
  readonly signUp: string;
  /** Empty if no one signs in. */
  readonly publicUrl: string;
  readonly trustedProxies: readonly string[];
  readonly startBlock: bigint;
  readonly masterKeyFile: string;
  readonly keystoreFile: string;
  /** Without one the service asks for the password at its terminal. */
  readonly passwordFile: string | undefined;
};

/** A configuration as JSON with comments, for a service that signs with one contract of one chain. */
export function configurationText(parts: NewConfiguration): string {
  const { chainId, wellKnown, nodeUrls, signUp, publicUrl, trustedProxies, startBlock } = parts;
  const text = JSON.stringify;
  const dashboard = { ...(publicUrl === '' ? {} : { publicUrl }), signUp };
  const signer = {
    keystoreFile: parts.keystoreFile,
    ...(parts.passwordFile === undefined ? {} : { passwordFile: parts.passwordFile }),
  };
  return `// Made by \`tollfree init\`. What is not in here has its default: see the page "Configuration".
{
  // The ledger. Back it up, together with the master key.
  "databaseFile": ${text(parts.databaseFile)},
  "masterKeyFile": ${text(parts.masterKeyFile)},
  // The proxies in front. Without them, all users behind a proxy share the limits of one client address.
  "gateway": { "trustedProxies": ${list(trustedProxies)} },
  // Commands like \`tollfree ledger check\` reach the running service here.
  "grpc": { "listen": ${text(`unix:${parts.coreSocket}`)} },
  "dashboard": ${spaced(dashboard)},
  // Keys that sign for paymaster contracts, by names of your choice. They own nothing and pay nothing.
  "signers": { "main": ${spaced(signer)} },
  "chains": [
    {
      "chainId": ${chainId},
${otherChainLines(parts)}      // The next one is asked when the one before fails or lags.
      "nodeUrls": ${list(nodeUrls)},
      // \`tollfree paymaster-contract deploy --write\` makes one and puts it in here.
      "paymasterContracts": [],
      // One of "signers".
      "signer": "main",
${tokenLines(wellKnown)}      // The newest block when this file was written: no contract of yours had a deposit before.
      "startBlock": ${startBlock}
    }
  ]
}
`;
}

function list(texts: readonly string[]): string {
  return `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;
}

function spaced(object: Readonly<Record<string, string>>): string {
  const fields = Object.entries(object).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{ ${fields.join(', ')} }`;
}

/** The known settings of a well-known chain. */
function otherChainLines({ chainId, wellKnown, coinUsd }: NewConfiguration): string {
  if (wellKnown !== undefined) return '';
  return `      "name": "Chain ${chainId}",
      // A fixed price, for limits in USD and payments in tokens. Name sources before real money depends on it.
      "nativePrice": { "sources": [{ "kind": "fixed", "usd": ${JSON.stringify(coinUsd)} }], "minimumSources": 1 },
      // Never signed, for any caller: a gas price and a cost of one operation above these.
      "maxFeePerGasCeiling": "200 gwei",
      "maxCostPerOperation": "0.05 ether",
`;
}

/** Suggested payment tokens as a comment: accepting tokens is a separate decision. */
function tokenLines(chain: WellKnownChain | undefined): string {
  if (chain === undefined || chain.tokens.length === 0) return '';
  const lines = chain.tokens.flatMap((token, index) => {
    const comma = index < chain.tokens.length - 1 ? ',' : '';
    return JSON.stringify(tokenEntry(token), undefined, 2)
      .split('\n')
      .map((line, at, all) => line + (at === all.length - 1 ? comma : ''));
  });
  return [
    '      // Take the slashes away to let users pay with these. `tollfree doctor` then asks each contract and each feed whether',
    '      // it is the one that is meant.',
    '      // "tokens": [',
    ...lines.map((line) => `      //   ${line}`),
    '      // ],',
    '',
  ].join('\n');
}
