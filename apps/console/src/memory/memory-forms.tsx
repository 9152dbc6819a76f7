import { useState } from 'react';
import { api, answered, problemOf, type Wire } from '../api/loci.js';
import { Check, NumberField } from '../ui/field.js';
import { MODEL_SETTINGS } from './model-settings.js';
import { ResourceField } from './resource-field.js';
import { SettingsForm, useChange } from './settings-form.js';

interface FormProps<Config> {
  readonly config: Config;
  readonly resources: Wire['Resources'];
}

const chosen = (name: string): string | null => (name === '' ? null : name);

export function EpisodicForm({ config, resources }: FormProps<Wire['EpisodicMemoryConfig']>) {
  const { long_term_memory: long, short_term_memory: short } = config;
  const [isEnabled, setEnabled] = useState(config.enabled);
  const [isLong, setLong] = useState(long.enabled);
  const [isShort, setShort] = useState(short.enabled);
  const [embedder, setEmbedder] = useState(long.embedder ?? '');
  const [reranker, setReranker] = useState(long.reranker ?? '');
  const [model, setModel] = useState(short.llm_model ?? '');
  const [capacity, setCapacity] = useState(String(short.message_capacity));
  const change = useChange(() =>
    answered(
      api.PUT('/api/v2/config/memory/episodic', {
        body: {
          enabled: isEnabled,
          long_term_memory_enabled: isLong,
          short_term_memory_enabled: isShort,
          long_term_memory: { embedder: chosen(embedder), reranker: chosen(reranker) },
          short_term_memory: { llm_model: chosen(model), message_capacity: Number(capacity) },
        },
      }),
    ),
  );
  return (
    <SettingsForm change={change} besides={['message_capacity']}>
      <Check label="Episodic memory" checked={isEnabled} onCheck={setEnabled} />
      <Check
        label="Long-term memory"
        hint="Searched by meaning and words."
        checked={isLong}
        onCheck={setLong}
      />
      <Check
        label="Short-term memory"
        hint="The newest messages and a summary."
        checked={isShort}
        onCheck={setShort}
      />
      <ResourceField
        label={MODEL_SETTINGS['episodic_memory.long_term_memory.embedder']}
        hint="Another one moves every project that has not chosen its own."
        value={embedder}
        resources={resources.embedders}
        current={long.embedder}
        onPick={setEmbedder}
      />
      <ResourceField
        label={MODEL_SETTINGS['episodic_memory.long_term_memory.reranker']}
        value={reranker}
        resources={resources.rerankers}
        current={long.reranker}
        onPick={setReranker}
      />
      <ResourceField
        label={MODEL_SETTINGS['episodic_memory.short_term_memory.llm_model']}
        value={model}
        resources={resources.language_models}
        current={short.llm_model}
        onPick={setModel}
      />
      <NumberField
        label="Characters that short-term memory holds"
        problem={problemOf(change.error, 'message_capacity')}
        min={1}
        value={capacity}
        onType={setCapacity}
      />
    </SettingsForm>
  );
}

export function SemanticForm({ config, resources }: FormProps<Wire['SemanticMemoryConfig']>) {
  const [isEnabled, setEnabled] = useState(config.enabled);
  const [model, setModel] = useState(config.llm_model ?? '');
  const [embedder, setEmbedder] = useState(config.embedding_model ?? '');
  const [messages, setMessages] = useState(String(config.ingestion_trigger_messages));
  const [age, setAge] = useState(String(config.ingestion_trigger_age_seconds));
  const change = useChange(() =>
    answered(
      api.PUT('/api/v2/config/memory/semantic', {
        body: {
          enabled: isEnabled,
          llm_model: chosen(model),
          embedding_model: chosen(embedder),
          ingestion_trigger_messages: Number(messages),
          ingestion_trigger_age_seconds: Number(age),
        },
      }),
    ),
  );
  return (
    <SettingsForm change={change} besides={['ingestion_trigger_messages', 'ingestion_trigger_age_seconds']}>
      <Check label="Semantic memory" checked={isEnabled} onCheck={setEnabled} />
      <ResourceField
        label={MODEL_SETTINGS['semantic_memory.llm_model']}
        value={model}
        resources={resources.language_models}
        current={config.llm_model}
        onPick={setModel}
      />
      <ResourceField
        label={MODEL_SETTINGS['semantic_memory.embedding_model']}
        value={embedder}
        resources={resources.embedders}
        current={config.embedding_model}
        onPick={setEmbedder}
      />
      <NumberField
        label="Messages after which a set is learned from"
        problem={problemOf(change.error, 'ingestion_trigger_messages')}
        min={1}
        value={messages}
        onType={setMessages}
      />
      <NumberField
        label="Seconds after which fewer are learned from"
        problem={problemOf(change.error, 'ingestion_trigger_age_seconds')}
        min={0}
        value={age}
        onType={setAge}
      />
    </SettingsForm>
  );
}
