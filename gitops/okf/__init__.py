"""Open Knowledge Format files: bundles read and written, the rules of the format, our profile of atoms. Pure."""
