/** Roles that the project's own code reads and changes. */
import { NotFoundError } from '../../contract/errors.ts';
import type { OwnRole, OwnRoles } from '../../entries/own-roles.ts';
import type { AuthContext } from './context.ts';
import { rolesService } from './roles-service.ts';

export function ownRoles(context: AuthContext): OwnRoles {
  const { access, hooked } = context;
  const { server } = hooked;
  const service = rolesService(context);
  async function find(): Promise<readonly OwnRole[]> {
    const { roles } = await service.find();
    return roles.map(({ id, name, description, type, nb_users: users }) => {
      return { id, name, description, type, users, permissions: [...(access.role(id)?.permissions ?? [])].sort() };
    });
  }
  async function findOne(id: number): Promise<OwnRole> {
    const role = (await find()).find((one) => one.id === id);
    if (!role) throw new NotFoundError();
    return role;
  }
  return {
    find,
    findOne,
    async create(data) {
      const before = new Set((await find()).map(({ id }) => id));
      await service.create(server, data);
      const role = (await find()).find(({ id, name }) => !before.has(id) && name === data.name);
      if (!role) throw new NotFoundError();
      return role;
    },
    async update(id, data) {
      await service.update(server, id, data);
      return findOne(id);
    },
    async delete(id) {
      await service.remove(server, id);
    },
  };
}
