import type { JsonRpcError, JsonRpcErrorResponse, JsonRpcId } from '@tollfree/contract/rpc/json-rpc';
import type { ThenPayInToken } from '@tollfree/contract/rpc/refusals';
import {
  type Read,
  readArray,
  readInteger,
  readNumber,
  readObject,
  readOneOf,
  readOptional,
  readRecord,
  readText,
} from '../form/read.ts';

type ErrorData = NonNullable<JsonRpcError['data']>;
type Offer = ThenPayInToken['tokens'][number];

const readId: Read<JsonRpcId> = (value) => {
  if (value === null) return null;
  return typeof value === 'number' ? readNumber(value) : readText(value);
};

const readThenPayInToken = readObject<ThenPayInToken>({
  ask: readObject<ThenPayInToken['ask']>({ method: readText, mode: readOneOf('ERC20') }),
  tokens: readArray(readObject<Offer>({ address: readText, symbol: readText, decimals: readInteger })),
});

type KnownData = Pick<ErrorData, 'reason' | 'limitKind' | 'decisionId' | 'field' | 'thenPayInToken'>;
const readKnownData = readObject<KnownData>({
  reason: readText,
  limitKind: readOptional(readText),
  decisionId: readOptional(readText),
  field: readOptional(readText),
  thenPayInToken: readOptional(readThenPayInToken),
});

/** Unknown fields are kept. */
const readErrorData: Read<ErrorData> = (value) => ({ ...readRecord(value), ...readKnownData(value) });

/** The answer of a service that refuses. */
export const readRefusal = readObject<JsonRpcErrorResponse>({
  jsonrpc: readOneOf('2.0'),
  id: readId,
  error: readObject<JsonRpcError>({ code: readInteger, message: readText, data: readOptional(readErrorData) }),
});

/** The answer of a service that does what was asked. */
export const readSuccess = readObject<{ jsonrpc: '2.0'; id: JsonRpcId; result: unknown }>({
  jsonrpc: readOneOf('2.0'),
  id: readId,
  result: (value) => value,
});
