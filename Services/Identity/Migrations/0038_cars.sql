-- Of a driver's car what riders and restaurants are told: plate, maker, model and colour. The other details stay sealed.
ALTER TABLE roles ADD COLUMN car jsonb;
