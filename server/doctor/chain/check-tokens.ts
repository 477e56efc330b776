import { hexToString, isHex, parseAbi } from 'viem';
import type { ChainClient } from '../../../core/node/chain-client.ts';
import type { ChainSection } from '../../config/chain-schema.ts';
import { type Check, type Findings, type FindingsAbout, findingsAbout } from '../finding.ts';

const tokenAbi = parseAbi(['function decimals() view returns (uint8)', 'function symbol() view returns (string)']);
/** Return types of tokens older than the standard. */
const oldTokenAbi = parseAbi(['function symbol() view returns (bytes32)']);

type Token = ChainSection['tokens'][number];

/** Checks each token of a chain: that it exists, with the configured decimals and symbol. */
export function checkTokens(chain: ChainSection, client: ChainClient): readonly Check[] {
  return chain.tokens.map((token) => {
    const about = `chain ${chain.chainId}, token ${token.symbol}`;
    return { about, run: () => lookAt(token, client, findingsAbout(about)) };
  });
}

async function lookAt(token: Token, client: ChainClient, find: FindingsAbout): Promise<Findings> {
  const { address } = token;
  const contract = { address, abi: tokenAbi } as const;
  const [code, decimals, symbol] = await Promise.all([
    client.getCode({ address }),
    client.readContract({ ...contract, functionName: 'decimals' }).catch(() => undefined),
    readSymbol(token, client),
  ]);
  if (code === undefined)
    return find.failure(
      'token-missing',
      `There is no contract at ${address}.`,
      'Correct its address, which differs on each chain.',
    );
  if (decimals === undefined)
    return find.failure(
      'token-none',
      `The contract at ${address} has no decimals, so it is not an ERC-20 token.`,
      'Correct its address.',
    );
  if (decimals !== token.decimals) {
    const message = `It has ${decimals} decimals, not ${token.decimals}: users would pay ${decimals > token.decimals ? 'far too little' : 'far too much'}.`;
    return find.failure('token-decimals', message, `If its address is right, set its decimals to ${decimals}.`);
  }
  if (symbol !== undefined && symbol !== token.symbol) {
    const message = `Its symbol is ${symbol.slice(0, 32)}, not ${token.symbol}.`;
    return find.warning('token-symbol', message, 'Check its address. Users are shown the symbol of the configuration.');
  }
  return find.ok('token', `It is at ${address}, with ${decimals} decimals.`);
}

async function readSymbol({ address }: Token, client: ChainClient): Promise<string | undefined> {
  const functionName = 'symbol';
  const asText = await client.readContract({ address, abi: tokenAbi, functionName }).catch(() => undefined);
  if (asText !== undefined) return asText;
  const word = await client.readContract({ address, abi: oldTokenAbi, functionName }).catch(() => undefined);
  return isHex(word) ? hexToString(word, { size: 32 }).replaceAll('\0', '') : undefined;
}
