import { sampleAddress, sampleContract } from './sample-contract.ts';

const bothRequired = 'Auth token and API key is required in the headers';
const tokenRequired = 'Auth token is required in the headers';

/** An error as it is answered: HTTP status, `statusCode` of the body, message. */
export type ManagementError = readonly [status: number, statusCode: number, message: string];

const userNotFound: ManagementError = [404, 404, 'User not found'];
const contractNotFound: ManagementError = [404, 400, 'Smart contract not found'];

/** What a call refers to in its path or body. */
export type CallTarget = { readonly paymasterId: string; readonly webhookId: string };

/** One of the twelve management calls of the interface, with how it answers credentials it does not accept. */
export type ManagementCall = {
  readonly name: string;
  readonly method: string;
  readonly path: (target: CallTarget) => string;
  readonly body?: (target: CallTarget) => Readonly<Record<string, unknown>>;
  readonly takesApiKey: boolean;
  readonly missing: ManagementError;
  readonly wrongAuthToken: ManagementError;
  readonly wrongApiKey: ManagementError;
};

function call(
  name: string,
  [method, path]: readonly [string, string | ManagementCall['path']],
  body: ManagementCall['body'] | undefined,
  rules: { takesApiKey?: false; text?: string; wrongAuthToken?: ManagementError; wrongApiKey?: ManagementError } = {},
): ManagementCall {
  const missing: ManagementError = [401, 401, rules.text ?? bothRequired];
  return {
    name,
    method,
    path: typeof path === 'string' ? () => path : path,
    ...(body === undefined ? {} : { body }),
    takesApiKey: rules.takesApiKey ?? true,
    missing,
    wrongAuthToken: rules.wrongAuthToken ?? missing,
    wrongApiKey: rules.wrongApiKey ?? missing,
  };
}

const webhookUrl = 'https://127.0.0.1/hook';

/** The management calls in the order of interface section 4. Each body is valid. */
export const managementCalls: readonly ManagementCall[] = [
  call('webhook create', ['POST', '/webhook'], () => ({ webhookUrl, requestType: 'POST' })),
  call('webhook get', ['GET', ({ webhookId }) => `/webhook?webhookId=${webhookId}`], () => ({ webhookUrl: '' }), {
    text: tokenRequired,
  }),
  call('webhook update', ['PATCH', '/webhook'], ({ webhookId }) => ({ webhookId, active: false })),
  call('webhook delete', ['DELETE', '/webhook'], ({ webhookId }) => ({ webhookId })),
  call('paymaster list', ['GET', '/paymaster'], undefined, { takesApiKey: false }),
  call(
    'paymaster create',
    ['POST', '/paymaster'],
    () => ({ name: 'second shop', type: 'HYBRID', chainId: 31_337, version: '2.0.0' }),
    { takesApiKey: false, text: tokenRequired },
  ),
  call('smart contract create', ['POST', '/smart-contract'], () => sampleContract),
  call('smart contract list', ['GET', '/smart-contract'], undefined),
  call(
    'smart contract update',
    ['PATCH', '/smart-contract'],
    () => ({ address: sampleAddress, whitelistedMethods: ['buy'] }),
    { wrongApiKey: contractNotFound },
  ),
  call('smart contract delete', ['DELETE', '/smart-contract'], () => ({ address: sampleAddress }), {
    wrongApiKey: contractNotFound,
  }),
  call('funding message', ['GET', ({ paymasterId }) => `/funding-message/${paymasterId}`], undefined),
  call(
    'funding wallet update',
    ['PATCH', '/paymaster'],
    ({ paymasterId }) => ({
      paymasterId,
      type: 'paymasterFundingId',
      signature: `0x${'11'.repeat(65)}`,
      address: sampleAddress,
    }),
    { wrongAuthToken: userNotFound, wrongApiKey: userNotFound },
  ),
];
