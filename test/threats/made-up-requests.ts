import { managementRouter } from '@tollfree/contract/router';
import fc from 'fast-check';
import { hostileTexts } from './hostile-values.ts';

const fields = [
  ...['address', 'abi', 'name', 'type', 'version', 'chainId', 'webhookId', 'webhookUrl', 'requestType', 'active'],
  ...[
    'whitelistedMethods',
    'paymasterId',
    'signature',
    'events',
    'tankLow',
    'url',
    'notificationId',
    'params',
    'method',
  ],
  ...[
    'policy',
    'limits',
    'pauses',
    'allowedSenders',
    'id',
    'jsonrpc',
    'sender',
    'mode',
    'tokenInfo',
    'sponsorshipInfo',
  ],
  ...['length', 'size', 'toString', 'valueOf', 'then', 'toJSON', 'constructor', 'hasOwnProperty'],
];

/** JSON as text, so that `__proto__` and numbers beyond a double stay what they are. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom(...hostileTexts),
    fc.json({ maxDepth: 2 }),
    fc.array(tie('json'), { maxLength: 5 }).map((items) => `[${items.join()}]`),
    fc
      .array(fc.tuple(fc.constantFrom(...fields, '__proto__'), tie('json')), { maxLength: 6 })
      .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join()}}`),
  ),
}));
const rpcMethod = fc.constantFrom(
  'pm_getFeeQuoteOrData',
  'pm_sponsorUserOperation',
  'pimlico_getTokenQuotes',
  'length',
);
const rpcBody = fc
  .tuple(rpcMethod, json, json)
  .map(([method, id, params]) => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`);

const routes = Object.values(managementRouter).flatMap((part): { method: string; path: string }[] =>
  Object.values(part),
);
const toManagement = fc.record({
  route: fc.constantFrom(...routes),
  part: fc.constantFrom('a', '__proto__', '%00', '%F0%9F', '..%2f', 'length'),
  query: fc.constantFrom('', '?limit[length]=1', '?cursor=1&cursor=2', '?__proto__=1', '?%'),
  body: fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: fc.string() }),
});
const management = toManagement.map(({ route: { method, path }, part, query, body }) => ({
  method,
  path: path.replace(/:\w+/g, part) + query,
  body,
}));

export type MadeUpRequest = { readonly method: string; readonly path: string; readonly body: string };

/**
 * Requests of any route of REST with any parameters and body, and calls of RPC: made up altogether, or one that would be
 * served (`params` of `pm_sponsorUserOperation`) with a member of it replaced, at times by its own value.
 */
export function anyRequest(
  rpcPath: string,
  served: readonly [operation: object, context: object],
): fc.Arbitrary<MadeUpRequest> {
  const bodies = fc.oneof(
    { weight: 4, arbitrary: rpcBody },
    { weight: 2, arbitrary: json },
    { weight: 1, arbitrary: fc.string() },
    { weight: 2, arbitrary: nearlyServed(served) },
  );
  return fc.oneof(
    management,
    bodies.map((body) => ({ method: 'POST', path: rpcPath, body })),
  );
}

function nearlyServed(served: readonly [operation: object, context: object]): fc.Arbitrary<string> {
  const members = served.flatMap((part, index) =>
    Object.entries(part).map(([name, value]) => ({ index, name, text: JSON.stringify(value) })),
  );
  const value = fc.oneof(
    json.map((text) => ({ text })),
    fc.constantFrom(...members),
    fc.constant(undefined),
  );
  return fc.tuple(rpcMethod, fc.constantFrom(...members), value).map(([method, replaced, by]) => {
    const parts = served.map((_, part) => {
      const own = members.filter(({ index }) => index === part);
      return `{${own.map((member) => `"${member.name}":${(member === replaced ? by : member)?.text ?? member.text}`).join()}}`;
    });
    return `{"jsonrpc":"2.0","id":1,"method":"${method}","params":[${parts.join()}]}`;
  });
}
