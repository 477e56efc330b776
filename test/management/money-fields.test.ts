import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PolicySchema, policyScopes } from '../../core/domain/policy.ts';
import { operationAudits } from '../../core/management/audit-log/operation-audits.ts';

const sdk = '/api/v2/public/sdk';

/**
 * The body fields of every management route that changes something. Decide of a new one whether it moves money, or says who
 * receives it: then `funds` is the scope of its route (`operationAudits`), or of its field (`policyScopes`).
 */
const decidedFields: Readonly<Record<string, Readonly<Record<'manage' | 'funds' | 'members' | 'session', string>>>> = {
  'post /webhook': fields('webhookUrl requestType payload'),
  'patch /webhook': fields('webhookId active webhookUrl payload'),
  'delete /webhook': fields('webhookId'),
  'post /paymaster': fields('name type chainId version'),
  'patch /paymaster': { ...fields(''), funds: 'paymasterId type signature address' },
  'patch /paymaster/{paymasterId}': fields('name paused'),
  'post /paymaster/{paymasterId}/retire': fields('name'),
  'patch /paymaster/{paymasterId}/api-key': fields('apiKeyId name disabled rules'),
  'post /paymaster/{paymasterId}/api-key': fields('graceSeconds apiKeyId'),
  'delete /paymaster/{paymasterId}/api-key': fields('apiKeyId'),
  'post /paymaster/{paymasterId}/api-key/create': fields('name rules'),
  'post /smart-contract': fields('name address abi whitelistedMethods'),
  'patch /smart-contract': fields('address whitelistedMethods'),
  'delete /smart-contract': fields('address'),
  'post /notification': fields('target url token chatId events tankLow'),
  'patch /notification': fields('notificationId active events tankLow'),
  'delete /notification': fields('notificationId'),
  'post /notification/secret': fields('notificationId'),
  'post /notification/redeliver': fields('deliveryId'),
  'post /notification/test': fields('notificationId'),
  'post /paymaster/{paymasterId}/ticket-key': fields('name kind publicKey jwksUrl issuer audience'),
  'delete /paymaster/{paymasterId}/ticket-key': fields('ticketKeyId'),
  'post /policies': fields('name description author icon enabled policy'),
  'put /policies/{policyId}': fields('name description author icon enabled policy'),
  'post /auth-token': fields('name expiresAt expiresInDays scopes'),
  'delete /auth-token': fields('authTokenId'),
  'post /budgets': fields('name maxUsd window paymasterIds'),
  'put /budgets/{budgetId}': fields('name maxUsd window paymasterIds'),
  'post /members': { ...fields(''), members: 'wallet role name chainId' },
  'put /members/{wallet}': { ...fields(''), members: 'role' },
  'put /members/{wallet}/name': { ...fields(''), session: 'name' },
  'post /session': { ...fields(''), session: 'authToken message signature accountId' },
  'put /session/account': { ...fields(''), session: 'accountId' },
};

function fields(manage: string) {
  return { manage, funds: '', members: '', session: '' };
}

/** Read by {@link policyScopes}, and what changes nothing. */
const elsewhere = ['put /policy', 'post /sponsorship/explain'];

type Schema = { readonly $ref?: string; readonly properties?: object; readonly allOf?: Schema[]; anyOf?: Schema[] };
type Operation = { requestBody?: { content?: Record<string, { schema: Schema }> } };
const document = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

function propertiesOf({ properties = {}, allOf = [], anyOf = [] }: Schema): readonly string[] {
  return [...new Set([...Object.keys(properties), ...[...allOf, ...anyOf].flatMap(propertiesOf)])];
}

describe('a field that moves money', () => {
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content?.['application/json']?.schema;
      const name = `${method} ${path.slice(sdk.length)}`;
      const isDecidedHere = path.startsWith(sdk) && method !== 'get' && !path.endsWith('/preview');
      return schema === undefined || !isDecidedHere || elsewhere.includes(name) ? [] : [[name, schema] as const];
    }),
  );

  test('no body of a route that changes something has a field of which no one has decided', () => {
    const found = routes.map(([name, schema]) => [name, [...propertiesOf(schema)].sort().join(' ')]);
    const decided = Object.entries(decidedFields).map(([name, { manage, funds, members, session }]) => {
      const all = [manage, funds, members, session].filter((text) => text !== '').flatMap((text) => text.split(' '));
      return [name, all.sort().join(' ')];
    });
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(decided));
  });

  test('every field of a policy has a scope, and the receiver of the tokens alone needs funds', () => {
    const { tokens, ...plain } = policyScopes;
    // A version is no setting.
    const { etag: _, ...shape } = PolicySchema.unwrap().shape;
    expect(Object.keys(policyScopes).sort()).toEqual(Object.keys(shape).sort());
    expect(Object.keys(tokens).sort()).toEqual(Object.keys(shape.tokens.unwrap().unwrap().shape).sort());
    const all = Object.entries({ ...plain, ...tokens });
    expect(all.filter(([, scope]) => scope === 'funds').map(([field]) => field)).toEqual(['tokenRecipient']);
  });

  test('an operation that changes who pays or is paid needs funds, and no other one does', () => {
    const ofFunds = Object.entries(operationAudits)
      .filter(([, audit]) => audit !== 'reads' && Array.isArray(audit.needs) && audit.needs.includes('funds'))
      .map(([name]) => name);
    expect(ofFunds.sort()).toEqual(['addMember', 'changeMember', 'createFundingMessage', 'setFundingWallet']);
    const judgedByField = Object.entries(operationAudits)
      .filter(([, audit]) => audit !== 'reads' && audit.alsoNeeds !== undefined)
      .map(([name]) => name);
    expect(judgedByField.sort()).toEqual(['createPolicy', 'deletePolicy', 'replacePolicy', 'setPolicy']);
  });
});
