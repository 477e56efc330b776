import type { Core, PartStatus } from '../../core/domain/core.ts';
import type { Result } from '../../core/domain/result/result.ts';
import type { Input, OperationName, Value } from '../../core/grpc/operation-types.ts';

type Answers = { [Name in OperationName]: (input: Input<Name>) => Promise<Result<Value<Name>>> };

/** A core for the far end of the wire: it remembers what it was asked and answers what the test says. */
export type RecordingCore = {
  readonly core: Core;
  /** Every call that arrived, in order. */
  readonly calls: { readonly name: OperationName; readonly input: unknown }[];
  /** Sets the answer of an operation; one without an answer rejects. */
  answerWith<Name extends OperationName>(
    name: Name,
    answer: (input: Input<Name>) => Promise<Result<Value<Name>>>,
  ): void;
  status: () => Promise<readonly PartStatus[]>;
};

export function createRecordingCore(): RecordingCore {
  const answers: Partial<Answers> = {};
  const answer = <Name extends OperationName>(name: Name, input: Input<Name>): Promise<Result<Value<Name>>> => {
    recording.calls.push({ name, input });
    return answers[name]?.(input) ?? Promise.reject(new Error(`no answer to ${name}`));
  };
  const core: Core = {
    createAccount: (input) => answer('createAccount', input),
    listAccounts: () => answer('listAccounts', undefined),
    issueAuthToken: (input) => answer('issueAuthToken', input),
    listAuthTokens: (input) => answer('listAuthTokens', input),
    revokeAuthToken: (input) => answer('revokeAuthToken', input),
    authenticate: (input) => answer('authenticate', input),
    createPaymaster: (input) => answer('createPaymaster', input),
    listPaymasters: (input) => answer('listPaymasters', input),
    registerContract: (input) => answer('registerContract', input),
    listContracts: (input) => answer('listContracts', input),
    updateContract: (input) => answer('updateContract', input),
    deleteContract: (input) => answer('deleteContract', input),
    createWebhook: (input) => answer('createWebhook', input),
    listWebhooks: (input) => answer('listWebhooks', input),
    updateWebhook: (input) => answer('updateWebhook', input),
    deleteWebhook: (input) => answer('deleteWebhook', input),
    readWebhookSecret: (input) => answer('readWebhookSecret', input),
    rotateWebhookSecret: (input) => answer('rotateWebhookSecret', input),
    createNotification: (input) => answer('createNotification', input),
    listNotifications: (input) => answer('listNotifications', input),
    updateNotification: (input) => answer('updateNotification', input),
    deleteNotification: (input) => answer('deleteNotification', input),
    readNotificationSecret: (input) => answer('readNotificationSecret', input),
    rotateNotificationSecret: (input) => answer('rotateNotificationSecret', input),
    listNotificationDeliveries: (input) => answer('listNotificationDeliveries', input),
    redeliverNotification: (input) => answer('redeliverNotification', input),
    sendTestNotification: (input) => answer('sendTestNotification', input),
    createFundingMessage: (input) => answer('createFundingMessage', input),
    setFundingWallet: (input) => answer('setFundingWallet', input),
    readPolicy: (input) => answer('readPolicy', input),
    setPolicy: (input) => answer('setPolicy', input),
    previewPolicy: (input) => answer('previewPolicy', input),
    getFeeQuoteOrData: (input) => answer('getFeeQuoteOrData', input),
    sponsorUserOperation: (input) => answer('sponsorUserOperation', input),
    getPaymasterStubData: (input) => answer('getPaymasterStubData', input),
    getPaymasterData: (input) => answer('getPaymasterData', input),
    quoteTokenRates: (input) => answer('quoteTokenRates', input),
    listSupportedTokens: (input) => answer('listSupportedTokens', input),
    listEntryPoints: (input) => answer('listEntryPoints', input),
    listDecisions: (input) => answer('listDecisions', input),
    readDecision: (input) => answer('readDecision', input),
    explainSponsorship: (input) => answer('explainSponsorship', input),
    readUsage: (input) => answer('readUsage', input),
    readGasTank: (input) => answer('readGasTank', input),
    listGasTankEntries: (input) => answer('listGasTankEntries', input),
    adjustTank: (input) => answer('adjustTank', input),
    checkLedger: () => answer('checkLedger', undefined),
    status: () => recording.status(),
  };
  const recording: RecordingCore = {
    core,
    calls: [],
    answerWith(name, given) {
      Object.assign(answers, { [name]: given });
    },
    status: async () => [{ part: 'store', ready: true, detail: 'ok' }],
  };
  return recording;
}
