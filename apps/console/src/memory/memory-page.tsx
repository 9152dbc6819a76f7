import { useQuery } from '@tanstack/react-query';
import { answered, api } from '../api/loci.js';
import { Page, Panel } from '../ui/page.js';
import { Failure, Loading } from '../ui/states.js';
import { EpisodicForm, SemanticForm } from './memory-forms.js';

/** How memory works where no project says otherwise. */
export function MemoryPage() {
  const { data, error, refetch } = useQuery({
    queryKey: ['configuration'],
    queryFn: ({ signal }) => answered(api.GET('/api/v2/config', { signal })),
  });
  return (
    <Page
      title="Memory"
      lead="How memory works where no project says otherwise. Changes take effect within seconds."
    >
      {error ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Loading />
      ) : (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <Panel title="Episodic memory" note="Messages as they were said">
            <EpisodicForm config={data.episodic_memory} resources={data.resources} />
          </Panel>
          <Panel title="Semantic memory" note="What is learned from them">
            <SemanticForm config={data.semantic_memory} resources={data.resources} />
          </Panel>
        </div>
      )}
    </Page>
  );
}
