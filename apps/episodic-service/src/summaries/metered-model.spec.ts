import { expect, jest, test } from '@jest/globals';
import { rateLimited, reserveModelCall, settleModelCall, unavailable } from '@loci/contracts';
import { type RpcClient } from '@loci/messaging';
import { type TextRequest } from '@loci/models';
import { RecordingLogger } from '@loci/testing';
import { MeteredModel } from './metered-model.js';

const PROJECT = {
  tenant: { orgId: 'acme', projectId: 'talk' },
  projectUid: 'b7a3f5a0-3f0c-4b1e-9d5e-0a1b2c3d4e5f',
};
const NO_TOKENS = { inputTokens: 0, cachedTokens: 0, outputTokens: 0 };

type Answer = (operation: object, request: object) => Promise<object>;

/** Whom calls are counted by; each operation is answered, or fails. */
const counter = ({ reserved, settled }: { reserved?: Error; settled?: Error } = {}) =>
  jest.fn<Answer>((operation) => {
    const failure = operation === reserveModelCall ? reserved : settled;
    return failure ? Promise.reject(failure) : Promise.resolve({ day: '2026-01-31' });
  });

const counted = (generateText: (request: TextRequest) => Promise<{ text: string }>, call = counter()) => {
  const logger = new RecordingLogger();
  const rpc = { call } as unknown as Pick<RpcClient, 'call'>;
  return { model: new MeteredModel({ name: 'writer', generateText }, PROJECT, rpc, logger), call, logger };
};

const replying = ({ onUsage }: TextRequest): Promise<{ text: string }> => {
  onUsage?.({ inputTokens: 100, cachedTokens: 40, outputTokens: 10 });
  onUsage?.({ inputTokens: 120, outputTokens: 12 });
  return Promise.resolve({ text: 'said' });
};

test('a call is counted before it is made, and then what each reply took', async () => {
  const { model, call } = counted(replying);
  expect(await model.generateText({ messages: [] })).toEqual({ text: 'said' });
  expect(call.mock.calls).toEqual([
    [reserveModelCall, { orgId: 'acme' }],
    [
      settleModelCall,
      {
        day: '2026-01-31',
        project: PROJECT,
        model: 'writer',
        calls: 2,
        failures: 0,
        inputTokens: 220,
        cachedTokens: 40,
        outputTokens: 22,
      },
    ],
  ]);
});

test('a call that was never answered counts as none', async () => {
  const down = unavailable('language_model_unavailable', 'Down.');
  const { model, call } = counted(() => Promise.reject(down));
  await expect(model.generateText({ messages: [] })).rejects.toBe(down);
  expect(call.mock.calls[1]?.[1]).toMatchObject({ calls: 0, failures: 1, ...NO_TOKENS });
});

test('no model is asked when the quota is used up, or when calls cannot be counted', async () => {
  const ask = jest.fn(replying);
  const reserved = rateLimited('model_quota_exceeded', 'Used up.', { retryAfterSeconds: 60 });
  const { model, call } = counted(ask, counter({ reserved }));
  await expect(model.generateText({ messages: [] })).rejects.toBe(reserved);
  expect(ask).not.toHaveBeenCalled();
  expect(call).toHaveBeenCalledTimes(1);
});

test('a count that is lost does not cost the reply', async () => {
  const settled = unavailable('service_unavailable', 'Down.');
  const { model, logger } = counted(replying, counter({ settled }));
  expect(await model.generateText({ messages: [] })).toEqual({ text: 'said' });
  expect(logger.lines).toEqual([expect.objectContaining({ level: 'warn' })]);
});
