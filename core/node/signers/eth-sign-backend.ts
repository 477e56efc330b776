import { omitAbsent } from '@tollfree/contract/omit-absent';
import { Agent } from 'undici';
import { type Address, getAddress, type Hex, isAddress, isHex, size, slice } from 'viem';
import type { EthSignConfig } from '../../domain/signer-config.ts';
import { boundInformational } from '../rpc/post-json.ts';
import { type RawSignature, type SignerBackend, SignerBackendError } from './signer-backend.ts';

/** Longest answer, in bytes: a signer may have a thousand accounts. */
const maxResponseSize = 65_536;

/**
 * A server with `eth_accounts` and `eth_sign` over JSON-RPC: Web3Signer in its eth1 mode, and nodes. `eth_sign` signs an
 * EIP-191 message, as every paymaster contract family expects.
 */
export function openEthSign({ url, address, token, certificateAuthority }: EthSignConfig): SignerBackend {
  const { origin, pathname, search } = new URL(url);
  const agent = new Agent({
    maxResponseSize,
    // Each question has its own signal that covers all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: omitAbsent({ ca: certificateAuthority }),
  });
  const dispatcher = agent.compose(boundInformational);

  async function ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const { statusCode, body } = await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        ...(token === undefined ? {} : { authorization: `Bearer ${token.reveal()}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      signal,
    });
    return readAnswer(await body.text(), statusCode, method);
  }

  return {
    readAddresses: async (signal) => {
      const accounts = await ask('eth_accounts', [], signal);
      if (!Array.isArray(accounts)) throw new SignerBackendError('does not list its accounts');
      return accounts
        .filter((one): one is Address => typeof one === 'string' && isAddress(one))
        .map((one) => getAddress(one));
    },
    sign: async (digest, signal) => readHalves(await ask('eth_sign', [address, digest], signal)),
    close: () => void agent.close(),
  };
}

/** The server's error text may contain anything; the code is enough. */
function readAnswer(text: string, statusCode: number, method: string): unknown {
  const answer = parseObject(text);
  if (answer !== undefined && 'error' in answer && typeof answer.error === 'object' && answer.error !== null) {
    const code = 'code' in answer.error && typeof answer.error.code === 'number' ? ` ${answer.error.code}` : '';
    throw new SignerBackendError(`answered ${method} with the error${code}`);
  }
  if (statusCode !== 200) throw new SignerBackendError(`answered with status ${statusCode}`);
  if (answer === undefined || !('result' in answer))
    throw new SignerBackendError('returned a response that is not JSON-RPC');
  return answer.result;
}

function parseObject(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function readHalves(result: unknown): RawSignature {
  if (!isHex(result) || size(result) !== 65) {
    throw new SignerBackendError('returned something that is not a signature', { isWrong: true });
  }
  const half = (begin: number): bigint => BigInt(slice(result as Hex, begin, begin + 32));
  return { r: half(0), s: half(32) };
}
