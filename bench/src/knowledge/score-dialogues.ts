import { type Dialogue } from './dialogue.js';
import { type Api, learn, projectOf } from './learn.js';
import { scoreDialogue, type ScoredDialogue } from './score.js';

/** Dialogues that are learned from at a time. */
const AT_ONCE = 4;

/** A language model as its registration has it. */
export interface MeasuredModel {
  readonly provider: string | undefined;
  readonly config: unknown;
}

/** The product learns with this model from then on, from each message at once. */
export async function learnWith(api: Api, model: MeasuredModel): Promise<void> {
  await api.send('POST', '/config/resources/language_models', { name: 'measured', ...model });
  await api.send('PUT', '/config/memory/semantic', {
    llm_model: 'measured',
    ingestion_trigger_messages: 1,
    ingestion_trigger_age_seconds: 1,
  });
}

/** @param onLearned is told of each dialogue that was learned from, and of its project */
export async function scoreDialogues(
  api: Api,
  dialogues: readonly Dialogue[],
  onLearned: (dialogue: Dialogue, project: ReturnType<typeof projectOf>) => Promise<void> = async () => {},
): Promise<ScoredDialogue[]> {
  const left = [...dialogues];
  const scored = new Map<string, ScoredDialogue>();
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      scored.set(next.id, scoreDialogue(next, await learn(api, next)));
      await onLearned(next, projectOf(next));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return dialogues.flatMap(({ id }) => scored.get(id) ?? []);
}
