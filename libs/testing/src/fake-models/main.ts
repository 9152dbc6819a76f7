import { FakeModels } from './fake-models.js';
import { DEFAULT_PORT, usageFor } from './usage.js';

const usage = usageFor(process.argv.slice(2));
if (usage) {
  (usage.isWanted ? process.stdout : process.stderr).write(usage.text);
  process.exit(usage.isWanted ? 0 : 1);
}

const port = Number(process.env['FAKE_MODELS_PORT'] ?? DEFAULT_PORT);
const host = process.env['FAKE_MODELS_HOST'];
const lociUrl = process.env['LOCI_URL'] ?? `http://localhost:${process.env['PORT'] ?? 8080}`;
const fake = await FakeModels.start({ port, ...(host !== undefined && { host }) }).catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(
    `The stand-in models did not start: ${reason}. Set FAKE_MODELS_PORT to a free port, or stop what listens there.\n`,
  );
  process.exit(1);
});
const model = {
  name: 'fake',
  provider: 'openai-chat-completions',
  config: { base_url: fake.openAiUrl, api_key: 'any', model: 'fake' },
};

process.stdout.write(`Stand-in models of all providers: ${fake.url}
(any key but wrong-key, any model but unknown-model)

Register the model (npm start reaches this machine; another deployment needs EGRESS_ALLOW_PRIVATE=true for that):

  curl -X POST ${lociUrl}/api/v2/config/resources/language_models \\
    -H 'content-type: application/json' \\
    -d '${JSON.stringify(model)}'

`);

const stop = (): void => void fake.close();
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
