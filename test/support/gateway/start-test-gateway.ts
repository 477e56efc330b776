import { request as httpRequest } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Logger } from '../../../core/base/logger.ts';
import type { Clock } from '../../../core/base/time/clock.ts';
import { actAs } from '../../../core/domain/access/actor.ts';
import type { Core } from '../../../core/domain/core.ts';
import type { DashboardFiles } from '../../../gateway/dashboard-routes.ts';
import { type Gateway, startGateway } from '../../../gateway/gateway.ts';
import { defaultGatewayLimits, type GatewayLimits } from '../../../gateway/gateway-limits.ts';
import { createRecordingLogger } from '../logging/recording-logger.ts';
import { apiKey, authToken, chainId, createFakeCore } from './fake-core.ts';

type TestGatewayOptions = {
  core?: Partial<Core>;
  limits?: Partial<GatewayLimits>;
  clock?: Clock;
  logger?: Logger;
  trustedProxies?: readonly string[];
  drainDelayMs?: number;
  accessLog?: boolean;
  publicUrl?: string;
  dashboard?: DashboardFiles;
  version?: string;
};

type TestGateway = Gateway & { core: ReturnType<typeof createFakeCore> };

/** A gateway on loopback with a stand-in core; closed when the test is over. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const gateway = await openTestGateway(options);
  onTestFinished(() => gateway.close());
  return gateway;
}

/** A gateway on loopback with a stand-in core. The caller closes it, after several tests. */
export async function openTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const core = createFakeCore(options.core);
  const gateway = await startGateway({
    core,
    actAs,
    listen: { host: '127.0.0.1', port: 0 },
    admin: { host: '127.0.0.1', port: 0 },
    limits: { ...defaultGatewayLimits, ...options.limits },
    logger: options.logger ?? createRecordingLogger().logger,
    clock: options.clock ?? { now: () => Date.now() },
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    ...(options.drainDelayMs !== undefined && { drainDelayMs: options.drainDelayMs }),
    ...(options.accessLog !== undefined && { accessLog: options.accessLog }),
    ...(options.publicUrl !== undefined && { publicUrl: options.publicUrl }),
    ...(options.dashboard && { dashboard: options.dashboard }),
    ...(options.version !== undefined && { version: options.version }),
  });
  return { ...gateway, core };
}

export const prefix = '/api/v2/public/sdk';
export const bothHeaders = { authToken, apiKey };
export const rpcPath = `/api/v2/${chainId}/${apiKey}`;

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  text: string;
};

/** One HTTP request as it is: any method with any body, which fetch does not allow. */
export function send(
  url: string,
  method: string,
  options: { headers?: Record<string, string>; json?: unknown; text?: string | Buffer; localAddress?: string } = {},
): Promise<Answer> {
  const body = options.text ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
  const headers = {
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      { method, headers, agent: false, ...(options.localAddress && { localAddress: options.localAddress }) },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isJson ? JSON.parse(text) : undefined,
            text,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
