import { managementRouter } from '@tollfree/contract/router';
import { TransportError } from '@tollfree/sdk';
import { type ApiFetcherArgs, initClient } from '@ts-rest/core';

/** One call for ts-rest. The session is a cookie that the browser adds, and that no script can read. */
async function send({ path, method, headers, body }: ApiFetcherArgs) {
  const response = await fetch(path, {
    method,
    headers,
    credentials: 'same-origin',
    redirect: 'error',
    ...(typeof body === 'string' ? { body } : {}),
  }).catch((cause: unknown) => {
    throw new TransportError('The service could not be reached.', { failure: 'unreachable', cause });
  });
  const json: unknown = await response.json().catch(() => {
    const message = `The response (HTTP ${response.status}) does not come from the service.`;
    throw new TransportError(message, { failure: 'unexpected-answer', status: response.status });
  });
  return { status: response.status, body: json, headers: response.headers };
}

/** The management interface of the service that this page came from, as the contract describes it. */
export const routes = initClient(managementRouter, { baseUrl: '', baseHeaders: {}, api: send });
