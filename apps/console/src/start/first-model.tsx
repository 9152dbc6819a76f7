import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Preset, RegisterModel } from '../models/register-model.js';
import { resourcesQuery } from '../models/resources.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { CodeBlock } from '../ui/code-block.js';
import { linkStyle } from '../ui/link-style.js';
import { Failure, Loading } from '../ui/states.js';

/** What `npm run fake-models` starts. */
const STAND_IN: Preset = {
  name: 'stand-in',
  provider: 'openai-chat-completions',
  config: { model: 'fake', api_key: 'any', base_url: 'http://127.0.0.1:11500/v1' },
};

/** Registers a language model, or a stand-in for one. */
export function FirstModel() {
  const { data, error, refetch } = useQuery(resourcesQuery);
  const [isStandIn, setStandIn] = useState(false);
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading rows={2} />;
  const ready = data.language_models.filter(({ status }) => status === 'ready');
  return (
    <div className="grid gap-4">
      {ready.length > 0 && (
        <p className="flex flex-wrap items-center gap-2 text-sm">
          <Badge tone="good">ready</Badge> {ready.map(({ name }) => name).join(', ')}
          <Link to="/models" className={linkStyle()}>
            All models
          </Link>
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3 text-sm text-muted">
        A model of your provider, or, without a key, a stand-in that runs beside Loci.
        <Button size="small" onClick={() => setStandIn((is) => !is)}>
          {isStandIn ? 'Use a provider' : 'Use the stand-in'}
        </Button>
      </div>
      {isStandIn && (
        <>
          <CodeBlock label="Starts the stand-in, in the folder of Loci" text="npm run fake-models" />
          <p className="text-sm text-muted">
            <code className="font-mono">npm start</code> reaches it while only this machine reaches Loci. Any
            other Loci has to be started with <code className="font-mono">EGRESS_ALLOW_PRIVATE=true</code>.
          </p>
        </>
      )}
      <RegisterModel
        key={String(isStandIn)}
        kind="language_models"
        taken={data.language_models.map(({ name }) => name)}
        preset={isStandIn ? STAND_IN : { name: 'main' }}
      />
    </div>
  );
}
