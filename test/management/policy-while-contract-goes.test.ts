import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { defaultPolicy } from '../../core/domain/policy.ts';
import { accepted, newPaymaster, refusalOf, startManagement } from '../support/core/start-management.ts';
import { setUpAddress } from '../support/interface/largest-set-up.ts';

/** Turns of the event loop between the two requests: from before the policy is checked to after it is stored. */
const leads = Array.from({ length: 30 }, (_, at) => at);

test.each(['the default policy', 'a named policy'])(
  'reports a rule that does not fit when a contract is deleted and %s with a rule on it is set at the same time',
  async (kind) => {
    const { management } = await startManagement();
    const outcomes = new Set<string>();
    for (const lead of leads) {
      const { owned } = await newPaymaster(management);
      const contract = setUpAddress(lead);
      const abi = JSON.stringify([{ name: 'act', inputs: [{ type: 'bool' }] }]);
      accepted(await management.registerSmartContract({ ...owned, name: 'one', address: contract, abi }));
      const callRules = [{ contract, method: 'act', where: [{ argument: '0', is: 'true' }] }];
      const policy = { ...defaultPolicy, callRules };
      const setting =
        kind === 'a named policy'
          ? management.createPolicy({ ...owned, head: { name: 'one', enabled: true }, policy })
          : management.setPolicy({ ...owned, policy });
      for (let turn = 0; turn < lead; turn += 1) await nextTurn();
      if (lead === leads.at(-1)) await setting;
      const { brokenRules = [] } = accepted(await management.deleteSmartContract({ ...owned, address: contract }));
      const set = await setting;
      outcomes.add(set.ok ? `told of ${brokenRules.length}` : refusalOf(set).replace(/: .*/, ''));
    }
    expect(outcomes).toContain('told of 1');
    expect(outcomes).not.toContain('told of 0');
  },
);
