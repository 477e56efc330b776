import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DevFile } from '../../server/dev/dev-file.ts';
import { runInPlace } from '../support/command-line/run-in-place.ts';
import { type RunningTollfree, startTollfree } from '../support/command-line/running-tollfree.ts';
import { managementCalls } from '../support/interface/management-calls.ts';
import { postRpc, sponsored } from '../support/interface/rpc-calls.ts';
import { type HttpAnswer, type HttpRequest, sendHttp } from '../support/interface/send-http.ts';

const anyPorts = ['--port', '0', '--grpc-port', '0', '--chain-port', '0', '--admin-port', '0', '--bundler-port', '0'];

/** A key in the spellings in which it could be printed. */
function spellings(hex: string): string[] {
  const digits = hex.replace(/^0x/, '');
  const bytes = Buffer.from(digits, 'hex');
  return [digits, digits.toUpperCase(), bytes.toString('base64'), bytes.toString('base64url'), [...bytes].join(',')];
}

/** Threat 12: run everything, then look for secrets in all that came out. */
describe('tollfree dev at log level debug, used well and badly', () => {
  let folder: string;
  let running: RunningTollfree;
  let dev: DevFile;
  let secondToken: string;
  const webhookSecrets: string[] = [];
  const errors: HttpAnswer[] = [];
  const others: HttpAnswer[] = [];
  let keys: string[];
  let commandLines: string;

  const manage = async (path: string, request: HttpRequest): Promise<HttpAnswer> => {
    const answer = await sendHttp(`${dev.gatewayUrl}/api/v2/public/sdk${path}`, request);
    (answer.status < 400 ? others : errors).push(answer);
    return answer;
  };
  const rpc = async (address: string, body: unknown): Promise<void> => {
    const answer = await postRpc(address, body);
    (answer.status < 400 ? others : errors).push(answer);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollfree-secrets-'));
    const data = join(folder, 'data');
    running = startTollfree(['dev', ...anyPorts, '--data', data, '--json', '--log-level', 'debug']);
    dev = JSON.parse(await running.line('stdout', /^\{"gatewayUrl"/));
    keys = ['dev-signer.key', 'dev-master.key', 'dev-grpc.token'].map((name) =>
      readFileSync(join(data, name), 'utf8').trim(),
    );
    const accounts = await runInPlace([
      'account',
      'list',
      '--core',
      dev.grpcAddress,
      '--core-token-file',
      dev.grpcTokenFile,
    ]);
    const [accountId = ''] = /[0-9a-f-]{36}/.exec(accounts.stdout) ?? [];
    const issued = await runInPlace([
      'auth-token',
      'issue',
      accountId,
      '--core',
      dev.grpcAddress,
      '--core-token-file',
      dev.grpcTokenFile,
    ]);
    secondToken = issued.stdout.trim();
    await useManagement();
    await useRpc();
    others.push(await sendHttp(`${dev.adminUrl}/metrics`), await sendHttp(`${dev.adminUrl}/readyz`));
    commandLines = dev.pids
      .map((pid) => `/proc/${pid}/cmdline`)
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    await running.stop('SIGTERM');
  });
  afterAll(async () => {
    if (running.child.exitCode === null) await running.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function useManagement(): Promise<void> {
    const [paymaster, other] = dev.paymasters;
    if (paymaster === undefined || other === undefined) throw new Error('There are no paymasters.');
    const headers = { authToken: dev.authToken, apiKey: paymaster.apiKey };
    const json = { webhookUrl: 'http://127.0.0.1:1/hook?key=of-the-receiver', requestType: 'POST' };
    const created = await manage('/webhook', { method: 'POST', headers, json });
    const { webhookId } = (created.json as { data: { webhookId: string } }).data;
    for (const method of ['GET', 'POST', 'GET']) {
      const answer = await sendHttp(`${dev.gatewayUrl}/api/v2/public/sdk/webhook/${webhookId}/secret`, {
        method,
        headers,
      });
      webhookSecrets.push((answer.json as { data: { secret: string } }).data.secret);
    }
    const target = { paymasterId: paymaster.paymasterId, webhookId };
    for (const call of managementCalls.filter(({ name }) => name !== 'webhook delete')) {
      const body = call.body?.(target);
      for (const sent of [
        headers,
        { authToken: dev.authToken },
        { authToken: `${secondToken}x`, apiKey: other.apiKey },
        { authToken: paymaster.apiKey, apiKey: dev.authToken },
      ]) {
        await manage(call.path(target), { method: call.method, headers: sent, ...(body && { json: body }) });
      }
      await manage(call.path(target), { method: call.method, headers, text: `{"authToken":"${secondToken}",` });
    }
    // What people do by mistake: credentials where an id or nothing belongs.
    for (const path of [
      `/funding-message/${paymaster.apiKey}`,
      `/webhook/${dev.authToken}/secret`,
      `/paymaster?authToken=${secondToken}&apiKey=${other.apiKey}`,
      `/${secondToken}`,
      `/webhook?webhookId=${webhookSecrets[0]}`,
    ]) {
      await manage(path, { headers });
      await manage(path, { method: 'PUT', headers });
    }
  }

  async function useRpc(): Promise<void> {
    for (const { rpcUrl, apiKey } of dev.paymasters) {
      const params = [{ sender: apiKey, callData: dev.authToken }, sponsored];
      for (const method of ['pm_getFeeQuoteOrData', 'pm_sponsorUserOperation', secondToken]) {
        await rpc(rpcUrl, { jsonrpc: '2.0', id: 1, method, params });
        await rpc(`${rpcUrl}x`, { jsonrpc: '2.0', id: 1, method, params });
        await rpc(rpcUrl.replace('/31337/', '/1/'), { jsonrpc: '2.0', id: 1, method, params });
      }
      await rpc(rpcUrl, `{"jsonrpc":"${secondToken}`);
      await rpc(`${rpcUrl}/more`, '{}');
      await rpc(`${rpcUrl}?apiKey=${apiKey}`, '{}');
    }
    // The request to try asks the webhook, which no one answers: that is logged too.
    const body = readFileSync(join(folder, 'data/request.json'), 'utf8');
    await rpc(dev.paymasters[0]?.rpcUrl ?? '', body);
  }

  const outputs = () => {
    const text = (answers: readonly HttpAnswer[]) =>
      answers.map((answer) => JSON.stringify(answer.headers) + answer.text).join('\n');
    return {
      log: running.stderr.join('\n'),
      stdout: running.stdout.join('\n'),
      errors: text(errors),
      others: text(others),
      commandLines,
    };
  };

  test('was used: the log holds debug lines, there are errors of every kind and metrics', () => {
    const { log, errors: failed, others: served } = outputs();
    for (const said of ['"level":"debug"', 'webhook unavailable', 'request served', '"reason":"UNAUTHORIZED"']) {
      expect(log).toContain(said);
    }
    for (const said of [
      '-32011',
      '-32600',
      '-32602',
      '-32700',
      'User not found',
      'is not valid JSON',
      'WEBHOOK_UNAVAILABLE',
    ]) {
      expect(failed).toContain(said);
    }
    expect(served).toContain('tollfree_refusals_total');
    expect([dev.authToken, secondToken].every((token) => /^tf_\w{36}$/.test(token))).toBe(true);
    expect(webhookSecrets.map((secret) => secret.slice(0, 6))).toEqual(['whsec_', 'whsec_', 'whsec_']);
    expect(new Set(webhookSecrets).size).toBe(2);
  });

  test('signing key and master key are nowhere', () => {
    for (const spelling of keys.flatMap(spellings)) {
      for (const [name, text] of Object.entries(outputs()))
        expect([name, text.includes(spelling)]).toEqual([name, false]);
    }
  });

  test('the authToken is on stdout, where it is meant to be, and nowhere else; another one is nowhere', () => {
    const { stdout, ...rest } = outputs();
    expect(stdout).toContain(dev.authToken);
    expect(stdout).not.toContain(secondToken);
    for (const [name, text] of Object.entries(rest)) {
      expect([name, text.includes(dev.authToken), text.includes(secondToken)]).toEqual([name, false, false]);
    }
  });

  test('webhook secrets are in the answers that read them and nowhere else', () => {
    for (const secret of webhookSecrets.map((text) => text.slice('whsec_'.length))) {
      for (const [name, text] of Object.entries(outputs()))
        expect([name, text.includes(secret)]).toEqual([name, false]);
    }
  });

  test('apiKeys are neither in the log nor in an error, and nor is what a webhook’s URL holds', () => {
    const { log, errors: failed, commandLines: lines } = outputs();
    for (const secret of [...dev.paymasters.map(({ apiKey }) => apiKey), 'of-the-receiver']) {
      expect([log, failed, lines].map((text) => text.includes(secret))).toEqual([false, false, false]);
    }
  });
});
