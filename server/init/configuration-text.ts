import { feeModelOf } from '../../core/domain/fee-model.ts';
import { coinbasePrice, tokenEntry } from '../chains/token-entry.ts';
import type { WellKnownChain } from '../chains/well-known-chain.ts';

/** What a configuration is written from. Paths are relative to the file's folder, or absolute. */
export type NewConfiguration = {
  readonly chainId: number;
  readonly wellKnown: WellKnownChain | undefined;
  /** The coin's fixed price in USD, of a chain that is not well known. */
  readonly coinUsd: string;
  readonly nodeUrls: readonly string[];
  readonly family: string;
  readonly databaseFile: string;
  readonly coreSocket: string;
  readonly signUp: string;
  /** Empty when no one signs in. */
  readonly publicUrl: string;
  readonly startBlock: bigint;
  readonly masterKeyFile: string;
  readonly keystoreFile: string;
  readonly passwordFile: string | undefined;
};

/** A configuration as JSON with comments, for a service that is to sign with one contract of one chain. */
export function configurationText(parts: NewConfiguration): string {
  const { chainId, wellKnown, nodeUrls, family, signUp, publicUrl, startBlock } = parts;
  const text = JSON.stringify;
  const publicUrlLine = publicUrl === '' ? '' : `\n    "publicUrl": ${text(publicUrl)},`;
  const passwordLine =
    parts.passwordFile === undefined
      ? '// Without "passwordFile" the service asks for the password at its terminal.'
      : `"passwordFile": ${text(parts.passwordFile)}`;
  return `// Made by \`tollfree init\`. Paths are relative to this file's folder. Every key is explained in the page "Configuration".
{
  "logLevel": "info",

  // The books. Back it up, together with the master key.
  "databaseFile": ${text(parts.databaseFile)},
  // Encrypts apiKeys and secrets in the database. If you lose it, you lose those.
  "masterKeyFile": ${text(parts.masterKeyFile)},

  "gateway": {
    // Where applications and the dashboard come in. Put a proxy with TLS in front, and name it in "trustedProxies".
    "listen": "127.0.0.1:3000",
    // Health and metrics: /livez, /readyz, /metrics. Keep it closed to others.
    "adminListen": "127.0.0.1:9464"
  },

  // Commands like \`tollfree ledger check\` reach the running service here. Its folder belongs to the service alone.
  "grpc": { "listen": ${text(`unix:${parts.coreSocket}`)} },

  "dashboard": {${publicUrlLine}
    // Who gets an account by a first sign-in with a wallet: "open", "invited" or "closed".
    "signUp": ${text(signUp)}
  },

  // Keys that sign for paymaster contracts, by names of your choice. They own nothing and pay nothing.
  "signers": {
    "main": {
      "keystoreFile": ${text(parts.keystoreFile)}${parts.passwordFile === undefined ? '' : ','}
      ${passwordLine}
    }
  },

  "chains": [
    {
      "chainId": ${chainId},
      "name": ${text(wellKnown?.name ?? `Chain ${chainId}`)},
      // The next one is asked when the one before fails or lags.
      "nodeUrls": ${text(nodeUrls)},${chainLines(wellKnown)}

      // \`tollfree paymaster-contract deploy --family ${family} --write\` makes one and puts it in here.
      "paymasterContracts": [],

      // One of "signers".
      "signer": "main",

      // The newest block when this file was written: no contract of yours had a deposit before.
      "startBlock": ${startBlock},

      // Never signed, for any caller: a gas price and a cost of one operation above these.
      "maxFeePerGasCeiling": "200 gwei",
      "maxCostPerOperation": "0.05 ether",

${tokenLines(wellKnown)}${priceLines(parts)}
    }
  ]
}
`;
}

function chainLines(chain: WellKnownChain | undefined): string {
  const model = chain === undefined ? 'none' : feeModelOf(chain);
  const dataFee =
    model === 'none'
      ? ''
      : `\n      // The chain’s fee model. It is known for this chain and can be left out.\n      "dataFee": ${JSON.stringify(model)},`;
  const sequencer =
    chain?.sequencerFeed === undefined
      ? ''
      : `\n      // No price counts while the sequencer is down.\n      "sequencerUptime": { "feed": "${chain.sequencerFeed}" },`;
  const explorer =
    chain === undefined
      ? ''
      : `\n      // Base URL of the dashboard's links to transactions and addresses; the service never calls it.\n      "explorerPageUrl": ${JSON.stringify(chain.explorerPageUrl)},`;
  return explorer + dataFee + sequencer;
}

/** What users can pay with, as a comment: to take tokens is a decision of its own. */
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
    '',
  ].join('\n');
}

function priceLines({ wellKnown, coinUsd }: NewConfiguration): string {
  if (wellKnown === undefined) {
    return `      // A fixed price, for limits in USD and payments in tokens. Name sources before real money hangs on it.
      "nativePrice": { "sources": [{ "kind": "fixed", "usd": ${JSON.stringify(coinUsd)} }], "minimumSources": 1 }`;
  }
  const { feed, coin } = wellKnown;
  return `      // The price of the coin, which has to agree in both sources: for limits in USD and payments in tokens.
      "nativePrice": {
        "sources": [
          { "kind": "chainlink", "aggregator": "${feed.aggregator}", "maxAgeSeconds": ${feed.maxAgeSeconds} },
          ${JSON.stringify(coinbasePrice(coin))}
        ]
      }`;
}
