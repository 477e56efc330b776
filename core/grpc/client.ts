import { create } from '@bufbuild/protobuf';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import { StatusRequestSchema } from '../../proto/gen/tollfree/core/v1/status_pb.ts';
import type { Core, PartStatus } from '../domain/core.ts';
import { unaryMethod } from './bridge.ts';
import { CoreUnavailableError } from './core-unavailable-error.ts';
import { defaultClientDeadlineMs, statusDeadlineMs } from './grpc-limits.ts';
import { statusConverter } from './messages/status-messages.ts';
import type { Send } from './operation.ts';
import { operations } from './operations.ts';
import type { GrpcClientTls } from './tls.ts';
import { openTransport, type Transport } from './transport.ts';

/**
 * The core of another process, at `host:port` or `unix:/path`. It connects with the first call, and again by itself
 * whenever the connection is lost.
 *
 * Operations reject with {@link CoreUnavailableError} when the core cannot be reached or does not answer within
 * `deadlineMs`; `status` then resolves to one part `core` that is not ready. Throws a sentence for the operator when the
 * address is not of this machine and there is no TLS: the calls carry keys.
 */
export function connectCore(options: { address: string; tls?: GrpcClientTls; deadlineMs?: number }): {
  core: Core;
  close(): void;
} {
  const deadlineMs = options.deadlineMs ?? defaultClientDeadlineMs;
  const transport = openTransport(options);
  const send: Send = (method, request) => transport.send(method, request, deadlineMs);
  const listAccounts = operations.listAccounts.call(send);
  const checkLedger = operations.checkLedger.call(send);

  const core: Core = {
    createAccount: operations.createAccount.call(send),
    listAccounts: () => listAccounts(undefined),
    issueAuthToken: operations.issueAuthToken.call(send),
    listAuthTokens: operations.listAuthTokens.call(send),
    revokeAuthToken: operations.revokeAuthToken.call(send),
    authenticate: operations.authenticate.call(send),
    createPaymaster: operations.createPaymaster.call(send),
    listPaymasters: operations.listPaymasters.call(send),
    registerContract: operations.registerContract.call(send),
    listContracts: operations.listContracts.call(send),
    updateContract: operations.updateContract.call(send),
    deleteContract: operations.deleteContract.call(send),
    createWebhook: operations.createWebhook.call(send),
    listWebhooks: operations.listWebhooks.call(send),
    updateWebhook: operations.updateWebhook.call(send),
    deleteWebhook: operations.deleteWebhook.call(send),
    readWebhookSecret: operations.readWebhookSecret.call(send),
    rotateWebhookSecret: operations.rotateWebhookSecret.call(send),
    createNotification: operations.createNotification.call(send),
    listNotifications: operations.listNotifications.call(send),
    updateNotification: operations.updateNotification.call(send),
    deleteNotification: operations.deleteNotification.call(send),
    readNotificationSecret: operations.readNotificationSecret.call(send),
    rotateNotificationSecret: operations.rotateNotificationSecret.call(send),
    listNotificationDeliveries: operations.listNotificationDeliveries.call(send),
    redeliverNotification: operations.redeliverNotification.call(send),
    sendTestNotification: operations.sendTestNotification.call(send),
    createFundingMessage: operations.createFundingMessage.call(send),
    setFundingWallet: operations.setFundingWallet.call(send),
    readPolicy: operations.readPolicy.call(send),
    setPolicy: operations.setPolicy.call(send),
    previewPolicy: operations.previewPolicy.call(send),
    getFeeQuoteOrData: operations.getFeeQuoteOrData.call(send),
    sponsorUserOperation: operations.sponsorUserOperation.call(send),
    getPaymasterStubData: operations.getPaymasterStubData.call(send),
    getPaymasterData: operations.getPaymasterData.call(send),
    quoteTokenRates: operations.quoteTokenRates.call(send),
    listSupportedTokens: operations.listSupportedTokens.call(send),
    listEntryPoints: operations.listEntryPoints.call(send),
    listDecisions: operations.listDecisions.call(send),
    readDecision: operations.readDecision.call(send),
    explainSponsorship: operations.explainSponsorship.call(send),
    readUsage: operations.readUsage.call(send),
    readGasTank: operations.readGasTank.call(send),
    listGasTankEntries: operations.listGasTankEntries.call(send),
    adjustTank: operations.adjustTank.call(send),
    checkLedger: () => checkLedger(undefined),
    status: () => askStatus(transport, Math.min(deadlineMs, statusDeadlineMs)),
  };
  return { core, close: () => transport.close() };
}

async function askStatus(transport: Transport, deadlineMs: number): Promise<readonly PartStatus[]> {
  try {
    const method = unaryMethod(CoreService.method.status);
    return statusConverter.toDomain(await transport.send(method, create(StatusRequestSchema), deadlineMs));
  } catch (error) {
    const detail = error instanceof CoreUnavailableError ? error.message : 'the core failed to tell its status';
    return [{ part: 'core', ready: false, detail }];
  }
}
