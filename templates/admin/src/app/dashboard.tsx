/** The first screen: the types, each with what it is. */
import Card from '@mui/material/Card';
import CardActionArea from '@mui/material/CardActionArea';
import CardContent from '@mui/material/CardContent';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Title } from 'react-admin';
import { Link } from 'react-router';
import { type ContentType, resourceOf } from '../model/model.ts';
import { useModel } from '../model/model-context.tsx';

function TypeCard({ type }: { readonly type: ContentType }) {
  return (
    <Card variant="outlined" component="li" sx={{ listStyle: 'none' }}>
      <CardActionArea component={Link} to={`/${resourceOf(type)}`} sx={{ height: 1 }}>
        <CardContent>
          <Typography variant="h6" component="h2">
            {type.displayName}
          </Typography>
          <Typography color="text.secondary" variant="body2">
            {type.description ?? type.endpoint}
          </Typography>
        </CardContent>
      </CardActionArea>
    </Card>
  );
}

export function Dashboard() {
  const { model } = useModel();
  return (
    <>
      <Title title={model.name} />
      <Box
        component="ul"
        sx={{ display: 'grid', gap: 2, p: 0, mt: 3, gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))' }}
      >
        {model.types.map((type) => (
          <TypeCard key={type.uid} type={type} />
        ))}
      </Box>
    </>
  );
}
